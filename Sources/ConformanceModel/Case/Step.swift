import JSONKit

/// One thing the runner does in a case.
package struct Step: Hashable, Sendable {
  /// The closed vocabulary.
  package enum Action: Hashable, Sendable {
    /// Ask the adapter for a command of the protocol.
    case call(Call)
    /// Send a request to the server under test.
    case send(Send)
    /// Script the answers of the mock to an exchange.
    case answer(Answer)
    /// Wait until something has been observed.
    case await(Await)
    /// Let everything finish that is going to happen within this time.
    case settle(within: LogicalTime)
    /// Let time pass.
    case advance(LogicalTime)
    /// End the subject and start it again.
    case restart(Restart)
    /// Break the wire, or heal it.
    case cut(Cut)
    /// Do these at once.
    case together([Step])
    /// Do these several times.
    case `repeat`(times: Int, variable: String, steps: [Step])
  }

  package var action: Action
  /// The name under which claims find the step and its outcome; may hold loop variables.
  package var label: Template?

  package init(_ action: Action, label: Template? = nil) {
    self.action = action
    self.label = label
  }
}

extension Step {
  /// The longest that the step lets time pass of its own accord; commands and requests take no time by themselves.
  package var span: LogicalTime {
    switch action {
    case .settle(let span), .advance(let span): span
    case .await(let wanted): wanted.within
    case .together(let steps): steps.map(\.span).max() ?? .zero
    case .repeat(let times, _, let steps): .milliseconds(Double(times) * steps.span.milliseconds)
    case .call, .send, .answer, .restart, .cut: .zero
    }
  }
}

extension [Step] {
  /// The longest that the steps, one after the other, let time pass.
  package var span: LogicalTime { reduce(.zero) { $0 + $1.span } }
}

extension Step {
  /// A command to the adapter.
  package struct Call: Hashable, Sendable {
    /// What the rest of the case needs from the command.
    package enum Need: String, CaseIterable, Sendable {
      /// It must succeed, or the case has not reached its precondition.
      case succeeds
      /// It may succeed or fail: claims look at it.
      case either
    }

    package var command: String
    package var params: Template
    /// Whether the next step waits for the reply.
    package var waits: Bool
    package var need: Need

    package init(command: String, params: Template, waits: Bool, need: Need) {
      self.command = command
      self.params = params
      self.waits = waits
      self.need = need
    }
  }

  /// A request to the server under test, made from a golden exchange and bent as the case wants.
  package struct Send: Hashable, Sendable {
    package var exchange: String
    /// The named set of bindings that the request is rendered with.
    package var bindings: String?
    /// Holes of the request given here.
    package var with: Template
    /// Changes of the JSON body after rendering.
    package var edits: [Edit]
    /// Header fields set, or removed when nil.
    package var headers: [String: Template?]
    /// Another path or method instead of the exchange's.
    package var path: Template?
    package var method: String?
    /// Another body instead of the rendered one: text as it is, anything else as JSON.
    package var body: Template?
    /// The address of the client that the server is told of, by a header field that it believes.
    package var from: Template?
    /// Whether the next step waits for the response.
    package var waits: Bool

    package init(
      exchange: String, bindings: String? = nil, with: Template = Template(.object([])), edits: [Edit] = [],
      headers: [String: Template?] = [:], path: Template? = nil, method: String? = nil, body: Template? = nil,
      from: Template? = nil, waits: Bool = true
    ) {
      self.exchange = exchange
      self.bindings = bindings
      self.with = with
      self.edits = edits
      self.headers = headers
      self.path = path
      self.method = method
      self.body = body
      self.from = from
      self.waits = waits
    }
  }

  /// Answers that the mock gives instead of the reference server's.
  package struct Answer: Hashable, Sendable {
    package var exchange: String
    /// The named response of the golden exchange.
    package var response: String
    /// Bindings of the response's holes.
    package var with: Template
    /// Changes of the JSON body after rendering.
    package var edits: [Edit]
    package var status: Int?
    /// How many requests get it; nil until another answer is scripted.
    package var times: Int?

    package init(
      exchange: String, response: String, with: Template = Template(.object([])), edits: [Edit] = [],
      status: Int? = nil, times: Int? = nil
    ) {
      self.exchange = exchange
      self.response = response
      self.with = with
      self.edits = edits
      self.status = status
      self.times = times
    }
  }

  /// A change of one member of a rendered body; a nil value removes the member.
  package struct Edit: Hashable, Sendable {
    package var path: JSONPath
    package var value: Template?

    package init(path: JSONPath, value: Template?) {
      self.path = path
      self.value = value
    }
  }

  /// An observation to wait for.
  package struct Await: Hashable, Sendable {
    /// What is counted.
    package enum Target: Hashable, Sendable {
      case observed(Selector)
      /// The reply of a labelled call, or the response of a labelled send, that was not waited for.
      case reply(String)
    }

    /// What a case gives an observation that it sets no time for.
    package static let patience = LogicalTime.seconds(5)

    package var target: Target
    package var count: Int
    /// How long it may take.
    package var within: LogicalTime

    package init(target: Target, count: Int = 1, within: LogicalTime = Await.patience) {
      self.target = target
      self.count = count
      self.within = within
    }
  }

  /// How a subject ends before it starts again.
  package struct Restart: Hashable, Sendable {
    /// The ways to end it.
    package enum Ending: String, CaseIterable, Sendable {
      /// It is asked to shut down.
      case clean
      /// It is killed (SIGKILL).
      case kill
    }

    package var ending: Ending
    /// Whether it finds its storage again.
    package var keepsStorage: Bool

    package init(ending: Ending, keepsStorage: Bool = true) {
      self.ending = ending
      self.keepsStorage = keepsStorage
    }
  }

  /// A fault switched on, or every fault of an exchange switched off.
  package struct Cut: Hashable, Sendable {
    /// The change.
    package enum Change: Hashable, Sendable {
      case arm(Fault)
      case heal(exchange: String?)
    }

    /// Which upstream; nil is the main one.
    package var upstream: String?
    package var change: Change

    package init(upstream: String? = nil, change: Change) {
      self.upstream = upstream
      self.change = change
    }
  }
}
