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
  /// For a callback, the number of the app's launch to which it belongs, counted from 1 in each case; nil for any other
  /// event.
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
    /// A step ended. If the step is a call or a send that does not wait, its answer can arrive later.
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
    /// A step started or ended a fault.
    case cut(upstream: String, text: String)
    /// A fault occurred on a connection. The connection is 0 if the port refused it.
    case fault(upstream: String, connection: Int, kind: String)
    /// The TLS handshake of a connection to a service ended.
    case handshake(upstream: String, TLSHandshake)
    /// An answer to a subject is complete, and its connection stays open for another request.
    case kept(upstream: String, connection: Int)
    /// A connection to a service ended; `by` is the side that ended it. If the connection was kept open after an
    /// answer, its end is recorded only if further bytes have arrived on it.
    case closed(upstream: String, connection: Int, by: Closer)
    /// For the step with this label, the kit performed a command for operators: on the mock server, or with a hook on
    /// the server under test.
    case operated(label: String?, Operation)
    /// A step that is neither a call nor a send has this outcome. Later steps and claims can use it by the step's
    /// label.
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
    /// The place of the step: `3`, `3.2` for a step inside another step, `3#7.1` for a step in the seventh round of a
    /// `repeat`, or `started.2` for a step of the state `started`. Steps and rounds are counted from 1.
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

  /// A command for operators, with its outcome.
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
    /// Whether the adapter answered only because the app was ended while the command was open. The outcome is then
    /// `noReply`, even if the adapter sent something else.
    package var isEnded: Bool

    package init(id: Int, outcome: CommandOutcome, isEnded: Bool = false) {
      self.id = id
      self.outcome = outcome
      self.isEnded = isEnded
    }

    /// The reply that is recorded for a command if its app was ended before the command was done.
    package static func ended(id: Int) -> Reply { Reply(id: id, outcome: .noReply, isEnded: true) }
  }

  /// A change of the subject's process.
  package enum Process: Hashable, Sendable {
    case started(launch: Int)
    case exited(code: Int)
    case signalled(Int)
    /// The kit asked the process to shut down, or killed it.
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
      /// A fault that the case prepared did not occur, because no connection or request met it.
      case faultUnused = "fault-unused"
      case adapterDied = "adapter-died"
      case adapterHung = "adapter-hung"
      case adapterBroke = "adapter-broke"
      /// The subject or its adapter lacks something that the case needs.
      case unsupported
      /// The case exceeded the time limit for a case.
      case timeLimit = "time-limit"
      /// The evidence exceeded the limit for the evidence of one case.
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

    /// The subject lacks something that the case needs, so the case did not begin or did not run to its end.
    package init(_ lack: Lack) { self.init(.unsupported, "\(lack)") }
  }
}

/// The outcome of a command.
package enum CommandOutcome: Hashable, Sendable {
  case result(JSON)
  case error(CommandError)
  /// The command has no reply: the subject was at rest and the command had still not returned, or the app of the
  /// command was ended.
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

/// The error with which a command ended: a command to an SDK's adapter, or a command for operators.
package struct CommandError: Error, Hashable, Sendable {
  /// The kind for a command or a feature that does not exist.
  package static let unsupported = "unsupported"
  /// The kind for a command that the adapter answers only because the app is being ended.
  package static let ended = "ended"
  /// The kind for a hook that failed.
  package static let hookFailed = "hook-failed"

  /// One of the protocol's error kinds, or one of the kinds above.
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
