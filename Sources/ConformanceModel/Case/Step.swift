/// One thing the runner does in a case.
public struct Step: Hashable, Sendable {
  /// The closed vocabulary.
  public enum Action: Hashable, Sendable {
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

  public var action: Action
  /// The name under which claims find the step and its outcome; may hold loop variables.
  public var label: Template?

  public init(_ action: Action, label: Template? = nil) {
    self.action = action
    self.label = label
  }
}

extension Step {
  /// The longest that the step lets time pass of its own accord; commands and requests take no time by themselves.
  public var span: LogicalTime {
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
  public var span: LogicalTime { reduce(.zero) { $0 + $1.span } }
}

extension Step {
  /// A command to the adapter.
  public struct Call: Hashable, Sendable {
    /// What the rest of the case needs from the command.
    public enum Need: String, CaseIterable, Sendable {
      /// It must succeed, or the case has not reached its precondition.
      case succeeds
      /// It may succeed or fail: claims look at it.
      case either
    }

    public var command: String
    public var params: Template
    /// Whether the next step waits for the reply.
    public var waits: Bool
    public var need: Need

    public init(command: String, params: Template, waits: Bool, need: Need) {
      self.command = command
      self.params = params
      self.waits = waits
      self.need = need
    }
  }

  /// A request to the server under test, made from a golden exchange and bent as the case wants.
  public struct Send: Hashable, Sendable {
    public var exchange: String
    /// The named set of bindings that the request is rendered with.
    public var bindings: String?
    /// Holes of the request given here.
    public var with: Template
    /// Changes of the JSON body after rendering.
    public var edits: [Edit]
    /// Header fields set, or removed when nil.
    public var headers: [String: Template?]
    /// Another path or method instead of the exchange's.
    public var path: Template?
    public var method: String?
    /// Another body instead of the rendered one: text as it is, anything else as JSON.
    public var body: Template?
    /// The address of the client that the server is told of, by a header field that it believes.
    public var from: Template?
    /// Whether the next step waits for the response.
    public var waits: Bool

    public init(
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
  public struct Answer: Hashable, Sendable {
    public var exchange: String
    /// The named response of the golden exchange.
    public var response: String
    /// Bindings of the response's holes.
    public var with: Template
    /// Changes of the JSON body after rendering.
    public var edits: [Edit]
    public var status: Int?
    /// How many requests get it; nil until another answer is scripted.
    public var times: Int?

    public init(
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
  public struct Edit: Hashable, Sendable {
    public var path: JSONPath
    public var value: Template?

    public init(path: JSONPath, value: Template?) {
      self.path = path
      self.value = value
    }
  }

  /// An observation to wait for.
  public struct Await: Hashable, Sendable {
    /// What is counted.
    public enum Target: Hashable, Sendable {
      case observed(Selector)
      /// The reply of a labelled call, or the response of a labelled send, that was not waited for.
      case reply(String)
    }

    /// What a case gives an observation that it sets no time for.
    public static let patience = LogicalTime.seconds(5)

    public var target: Target
    public var count: Int
    /// How long it may take.
    public var within: LogicalTime

    public init(target: Target, count: Int = 1, within: LogicalTime = Await.patience) {
      self.target = target
      self.count = count
      self.within = within
    }
  }

  /// How a subject ends before it starts again.
  public struct Restart: Hashable, Sendable {
    /// The ways to end it.
    public enum Ending: String, CaseIterable, Sendable {
      /// It is asked to shut down.
      case clean
      /// It is killed (SIGKILL).
      case kill
    }

    public var ending: Ending
    /// Whether it finds its storage again.
    public var keepsStorage: Bool

    public init(ending: Ending, keepsStorage: Bool = true) {
      self.ending = ending
      self.keepsStorage = keepsStorage
    }
  }

  /// A fault switched on, or every fault of an exchange switched off.
  public struct Cut: Hashable, Sendable {
    /// The change.
    public enum Change: Hashable, Sendable {
      case arm(Fault)
      case heal(exchange: String?)
    }

    /// Which upstream; nil is the main one.
    public var upstream: String?
    public var change: Change

    public init(upstream: String? = nil, change: Change) {
      self.upstream = upstream
      self.change = change
    }
  }
}
