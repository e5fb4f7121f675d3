import ConformanceModel
import HTTPValues
import JSONKit
import Templates

/// An event of a transcript. The entries are in the order in which the kit observed the events.
package struct TranscriptEntry: Hashable, Sendable {
  /// The number of the entry, counted from 1; findings refer to it.
  package var number: Int
  /// Logical time since the start of the case.
  package var at: LogicalTime
  package var event: Event
  /// The launch that a callback belongs to, counted from 1 in each case; nil for any other event.
  package var launch: Int?

  package init(number: Int, at: LogicalTime, event: Event, launch: Int? = nil) {
    self.number = number
    self.at = at
    self.event = event
    self.launch = launch
  }

  /// The event of an entry.
  package enum Event: Hashable, Sendable {
    /// A step began.
    case stepBegan(StepMark)
    /// A step ended. A call that does not wait ends with its reply.
    case stepEnded(StepMark)
    /// The runner sent a command to the adapter.
    case command(Command)
    /// The adapter replied.
    case reply(Reply)
    /// The adapter reported a call of a callback.
    case callback(handle: String, value: JSON)
    /// The subject's process started or ended.
    case process(Process)
    /// The subject wrote to stderr.
    case output(Octets)
    /// The adapter violated the adapter protocol.
    case breach(String)
    /// A service received a request.
    case request(upstream: String, RequestRecord)
    /// A service received bytes that are not HTTP.
    case malformed(upstream: String, connection: Int, reason: String, Octets)
    /// A service sent a response, or a fault let only a part of the response pass.
    case response(upstream: String, ResponseRecord)
    /// A fault was armed or healed.
    case cut(upstream: String, text: String)
    /// A fault occurred on a connection. The connection is 0 if the port refused it.
    case fault(upstream: String, connection: Int, kind: String)
    /// The TLS handshake of a connection to a service ended.
    case handshake(upstream: String, TLSHandshake)
    /// An answer to a subject is complete, and its connection stays open for another request.
    case kept(upstream: String, connection: Int)
    /// A connection to a service ended, with the side that ended it. The end of a kept connection is recorded only if
    /// bytes have arrived on it since its last answer.
    case closed(upstream: String, connection: Int, by: Closer)
    /// The kit ran an operator's command on the mock, for the step with this label.
    case operated(label: String?, Operation)
    /// A step gave a name to its outcome.
    case bound(label: String, value: JSON)
    /// The runner sent a request to a service of the subject, for the step with this label.
    case sent(label: String?, service: String, RequestRecord)
    /// The server under test answered.
    case received(label: String?, ResponseRecord)
    /// The server under test did not answer.
    case failed(label: String?, WireFailure)
    /// The kit moved the clock to this time.
    case clock(LogicalTime)
    /// The run of the case ended.
    case end(Ending)
  }

  /// The place of a step in the case, and its label.
  package struct StepMark: Hashable, Sendable {
    /// The place of the step: `3`, `3.2` for a step inside another step, or `3#7.1` in the seventh round of a `repeat`.
    /// Steps and rounds are counted from 1.
    package var place: String
    package var word: String
    package var label: String?

    package init(place: String, word: String, label: String?) {
      self.place = place
      self.word = word
      self.label = label
    }
  }

  /// A command for the adapter.
  package struct Command: Hashable, Sendable {
    package var id: Int
    package var name: String
    package var params: JSON
    /// The label of the step that sends the command.
    package var label: String?

    package init(id: Int, name: String, params: JSON, label: String?) {
      self.id = id
      self.name = name
      self.params = params
      self.label = label
    }
  }

  /// A command of an operator, with its outcome.
  package struct Operation: Hashable, Sendable {
    package var name: String
    package var params: JSON
    package var outcome: CommandOutcome

    package init(name: String, params: JSON, outcome: CommandOutcome) {
      self.name = name
      self.params = params
      self.outcome = outcome
    }
  }

  /// The reply to a command.
  package struct Reply: Hashable, Sendable {
    package var id: Int
    package var outcome: CommandOutcome
    /// Whether the adapter answered only because the app was being ended. The outcome is then `noReply`, whatever the
    /// adapter answered.
    package var isEnded: Bool

    package init(id: Int, outcome: CommandOutcome, isEnded: Bool = false) {
      self.id = id
      self.outcome = outcome
      self.isEnded = isEnded
    }

    /// The answer to a command that was still open when the app was ended.
    package static func ended(id: Int) -> Reply { Reply(id: id, outcome: .noReply, isEnded: true) }
  }

  /// A change of the subject's process.
  package enum Process: Hashable, Sendable {
    case started(launch: Int)
    case exited(code: Int)
    case signalled(Int)
    /// The runner asked the process to shut down, or killed it.
    case ended(Step.Restart.Ending)
  }

  /// Which side ended a connection.
  package enum Closer: String, CaseIterable, Sendable {
    case subject, kit
  }

  /// How the run of a case ended.
  package struct Ending: Hashable, Sendable {
    /// The ways in which the run of a case can end.
    package enum Kind: String, CaseIterable, Sendable {
      case completed
      /// A step failed, and the later steps cannot run without it.
      case preconditionFailed = "precondition-failed"
      /// A fault that the case armed never fired.
      case faultUnused = "fault-unused"
      case adapterDied = "adapter-died"
      case adapterHung = "adapter-hung"
      case adapterBroke = "adapter-broke"
      /// The subject or its adapter lacks something that the case needs.
      case unsupported
      /// The case exceeded the time limit for a case.
      case timeLimit = "time-limit"
      /// The evidence exceeded its limit.
      case evidenceLimit = "evidence-limit"
      case interrupted
      /// The machine ran out of files, processes, memory or disk space, or delayed the kit.
      case machine
      /// The kit itself failed.
      case kitError = "kit-error"
    }

    package var kind: Kind
    package var text: String

    package init(_ kind: Kind, _ text: String = "") {
      self.kind = kind
      self.text = text
    }

    /// Every step ran, but the machine delayed the kit: missing or late observations prove nothing.
    package static func hindered(by obstacle: String) -> Ending { Ending(.machine, obstacle + Self.hinderedAdvice) }

    /// Whether the ending was made by ``hindered(by:)``.
    package var isHindered: Bool { kind == .machine && text.hasSuffix(Self.hinderedAdvice) }

    private static let hinderedAdvice = ", also when no other case ran: try again when less is going on"

    /// The case did not begin, or did not run to its end, since the subject lacks something.
    package init(_ lack: Lack) { self.init(.unsupported, "\(lack)") }
  }
}

/// The outcome of a command.
package enum CommandOutcome: Hashable, Sendable {
  case result(JSON)
  case error(CommandError)
  /// The command has no reply, because nothing was left to happen or because its app was ended.
  case noReply

  /// The outcome in the form that claims use: the result, or `{"$error": {"kind": …, "status": …, "message": …}}`.
  package var view: JSON {
    switch self {
    case .result(let value): value
    case .error(let error): [Template.errorKey: error.representation]
    case .noReply: [Template.errorKey: ["kind": Template.noReply]]
    }
  }
}

/// The error of an SDK as its adapter reports it, or the reason that a server could not be provisioned.
package struct CommandError: Error, Hashable, Sendable {
  /// The kind for a command or a feature that does not exist.
  package static let unsupported = "unsupported"
  /// The kind for a command that is answered only because its app is being ended.
  package static let ended = "ended"
  /// The kind for a hook that failed.
  package static let hookFailed = "hook-failed"

  /// One of the protocol's error kinds.
  package var kind: String
  package var status: Int?
  package var message: String?

  package init(kind: String, status: Int? = nil, message: String? = nil) {
    self.kind = kind
    self.status = status
    self.message = message
  }
}

extension CommandError: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("kind", kind)
    members.add("status", status)
    members.add("message", message)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    kind = try field.required("kind").string()
    status = try field.optional("status")?.int()
    message = try field.optional("message")?.string()
  }
}
