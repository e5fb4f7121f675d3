import JSONKit
import Templates

/// One action of the runner in a case.
package struct Step: Hashable, Sendable {
  /// All actions that a case can use.
  package indirect enum Action: Hashable, Sendable {
    /// Send a command of the protocol to the adapter, or to the hooks of a server under test.
    case call(Call)
    /// Send a request to the subject.
    case send(Send)
    /// Set the answers of the mock to requests of an exchange.
    case answer(Answer)
    /// Run an operator's command on the mock.
    case operate(Operate)
    /// Inject a fault on the wire.
    case fault(Fault)
    /// End the faults of an exchange, the faults of a service, or all faults.
    case heal(Scope)
    /// Release the answers that the fault `hold` holds back.
    case release(Scope)
    /// Wait until something has been observed.
    case await(Await)
    /// Wait until the subject has done all work that is due within this time.
    case settle(within: LogicalTime)
    /// Let time pass.
    case advance(LogicalTime)
    /// End the subject and start it again.
    case restart(Restart)
    /// Change the app's surroundings while it runs.
    case surroundings(Template)
    /// Search the app's storage for a list of texts.
    case search(storageFor: Template)
    /// Run these steps at the same time.
    case together([Step])
    /// Run these steps several times.
    case `repeat`(times: Int, variable: String, steps: [Step])
    /// Try alternatives in turn until something is observed.
    case attempt(Attempt)
    /// Send operations that are drawn at random, and compare the answers with the answers of the reference server.
    case explore(Exploration)
    /// Run a list of steps that the protocol defines under this name.
    case perform(name: String, steps: [Step])
  }

  package var action: Action
  /// The name under which claims find the step and its outcome. The name may contain loop variables.
  package var label: Template?

  package init(_ action: Action, label: Template? = nil) {
    self.action = action
    self.label = label
  }
}

extension Step.Action {
  /// The words for the actions in a case file.
  package static let words = [
    "call", "send", "answer", "operate", "fault", "heal", "release", "await", "settle", "advance", "restart",
    "surroundings", "search", "together", "repeat", "attempt", "explore", "do",
  ]

  /// The word for the action in a case.
  package var word: String {
    switch self {
    case .call: "call"
    case .send: "send"
    case .answer: "answer"
    case .operate: "operate"
    case .fault: "fault"
    case .heal: "heal"
    case .release: "release"
    case .await: "await"
    case .settle: "settle"
    case .advance: "advance"
    case .restart: "restart"
    case .surroundings: "surroundings"
    case .search: "search"
    case .together: "together"
    case .repeat: "repeat"
    case .attempt: "attempt"
    case .explore: "explore"
    case .perform: "do"
    }
  }
}

extension Step {
  /// An assumption about the course of a case, for an estimate of the logical time that its steps take.
  package enum Course: Hashable, Sendable {
    /// Every wait lasts until its time limit, and every way of an attempt fails.
    case worst
    /// Every `await` ends at once, and the first way of an attempt succeeds. The subject becomes inactive after the
    /// time `rest`, and a `settle` then ends. If `rest` is nil, a `settle` lasts until its time limit.
    case best(rest: LogicalTime?)
  }

  /// The logical time that the step takes on this assumption. Commands and requests take no time.
  package func span(_ course: Course) -> LogicalTime {
    switch (action, course) {
    case (.advance(let span), _), (.settle(let span), .worst): span
    case (.restart(let restart), _): restart.away
    case (.settle(let span), .best(let rest)): min(span, rest ?? span)
    case (.await(let wanted), .worst): wanted.within
    case (.attempt(let attempt), .worst): attempt.ways.reduce(.zero) { $0 + $1.steps.span(course) }
    case (.attempt(let attempt), .best): attempt.ways.first?.steps.span(course) ?? .zero
    case (.together(let steps), _): steps.map { $0.span(course) }.max() ?? .zero
    case (.repeat(let times, _, let steps), _): .milliseconds(Double(times) * steps.span(course).milliseconds)
    case (.perform(_, let steps), _): steps.span(course)
    case (.await, .best), (.call, _), (.send, _), (.answer, _), (.operate, _), (.fault, _), (.heal, _), (.release, _),
      (.surroundings, _), (.search, _), (.explore, _):
      .zero
    }
  }

  /// Whether the subject acts while the step runs, so that a later `await` counts from the beginning of the step.
  package var letsSubjectAct: Bool {
    switch action {
    case .call(let call): call.waits
    case .send(let send): send.waits
    case .settle, .advance, .restart, .surroundings, .explore: true
    case .together, .repeat, .attempt, .perform: inner.contains(where: \.letsSubjectAct)
    case .answer, .operate, .fault, .heal, .release, .await, .search: false
    }
  }

  /// The steps inside this step.
  package var inner: [Step] {
    switch action {
    case .together(let steps), .repeat(_, _, let steps), .perform(_, let steps): steps
    case .attempt(let attempt): attempt.ways.flatMap(\.steps)
    default: []
    }
  }

  /// The name of the step in the transcript.
  package var title: String {
    switch action {
    case .call(let call): call.command
    case .send(let send): "\(action.word) \(send.exchange)"
    case .answer(let answer): "\(action.word) \(answer.exchange)"
    case .operate(let operate): "\(action.word) \(operate.command)"
    case .fault(let fault): "\(action.word) \(fault.kind.word)"
    case .heal(let scope), .release(let scope): "\(action.word) \(scope)"
    case .perform(let name, _): "\(action.word) \(name)"
    case .await, .settle, .advance, .restart, .surroundings, .search, .together, .repeat, .attempt, .explore:
      action.word
    }
  }
}

extension [Step] {
  /// The logical time that the steps take, one after the other.
  package func span(_ course: Step.Course) -> LogicalTime { reduce(.zero) { $0 + $1.span(course) } }
}

extension Step {
  /// A command for the adapter.
  package struct Call: Hashable, Sendable {
    /// The result that the command must have so that the case can continue.
    package enum Need: String, CaseIterable, Sendable {
      /// The command must succeed. Otherwise the case has not reached its precondition.
      case succeeds
      /// The command must fail. Otherwise the case has not reached its precondition.
      case fails
      /// The command may succeed or fail. Claims judge the result.
      case either
    }

    package var command: String
    package var params: Template
    /// Whether the next step begins only after the reply.
    package var waits: Bool
    package var need: Need

    package init(command: String, params: Template, waits: Bool = true, need: Need = .succeeds) {
      self.command = command
      self.params = params
      self.waits = waits
      self.need = need
    }
  }

  /// A request to the server under test, made from a golden exchange and then changed by the case.
  package struct Send: Hashable, Sendable {
    package var exchange: String
    /// The name of a set of bindings in the exchange, for the holes of the request; nil for `default`.
    package var bindings: String?
    /// Values for holes of the request.
    package var with: Template
    /// Changes of the JSON body after its holes are filled.
    package var edits: [Edit]
    /// Header fields to set; a nil value removes the field.
    package var headers: [String: Template?]
    /// The path and the method, if they differ from the path and the method of the exchange.
    package var path: Template?
    package var method: String?
    /// The body, if it differs from the body of the exchange. A text is sent as it is, any other value as JSON.
    package var body: Template?
    /// The client address that the request claims, in a header field that the server trusts.
    package var from: Template?
    /// The name of the connection; nil for a new one. Requests with the same name use the same connection, one after
    /// the other.
    package var over: String?
    /// Whether the next step begins only after the response.
    package var waits: Bool

    package init(
      exchange: String, bindings: String? = nil, with: Template = Template(.object([])), edits: [Edit] = [],
      headers: [String: Template?] = [:], path: Template? = nil, method: String? = nil, body: Template? = nil,
      from: Template? = nil, over: String? = nil, waits: Bool = true
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
      self.over = over
      self.waits = waits
    }
  }

  /// Answers that the mock gives in place of the answers of the reference server.
  package struct Answer: Hashable, Sendable {
    package var exchange: String
    /// The name of a response of the golden exchange.
    package var response: String
    /// The template that the ``RequestRecord/view`` of an answered request matches; nil for every request.
    package var filter: Template?
    /// Values for the holes of the response.
    package var with: Template
    /// Changes of the JSON body after its holes are filled.
    package var edits: [Edit]
    /// Header fields to set; a nil value removes the field.
    package var headers: [String: Template?]
    package var status: Int?
    /// The number of requests that get this answer; nil for all requests until the case sets another answer.
    package var times: Int?

    package init(
      exchange: String, response: String, filter: Template? = nil, with: Template = Template(.object([])),
      edits: [Edit] = [], headers: [String: Template?] = [:], status: Int? = nil, times: Int? = nil
    ) {
      self.exchange = exchange
      self.response = response
      self.filter = filter
      self.with = with
      self.edits = edits
      self.headers = headers
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

  /// An operator's command for the mock.
  package struct Operate: Hashable, Sendable {
    package var command: String
    package var params: Template

    package init(command: String, params: Template) {
      self.command = command
      self.params = params
    }
  }

  /// The faults that a step ends or releases: the faults of an exchange, the faults of a service, or all faults.
  package struct Scope: Hashable, Sendable, CustomStringConvertible {
    package var service: ServiceName?
    package var exchange: String?

    package init(at service: ServiceName? = nil, exchange: String? = nil) {
      self.service = service
      self.exchange = exchange
    }

    package var description: String {
      let words = [exchange, service.map { "at \($0)" }].compactMap(\.self)
      return words.isEmpty ? "all" : words.joined(separator: " ")
    }
  }

  /// The observations for which a step waits.
  package struct Await: Hashable, Sendable {
    /// The kind of observation.
    package enum Target: Hashable, Sendable {
      case observed(Selector)
      /// The reply to a labelled call, or the response to a labelled send, if that step did not wait.
      case reply(String)
    }

    /// The time limit if a case does not set one.
    package static let patience = LogicalTime.seconds(5)

    /// The word in `since` that makes all observations of the case count.
    package static let wholeCase = "case"

    package var target: Target
    package var count: Int
    /// The time limit.
    package var within: LogicalTime
    /// The label of a step: observations count from the beginning of this step. With ``wholeCase``, all observations
    /// count. With nil, observations count from the beginning of the last step in which the subject acted.
    package var since: String?

    package init(
      target: Target, count: Int = 1, within: LogicalTime = Await.patience, since: String? = nil
    ) {
      self.target = target
      self.count = count
      self.within = within
      self.since = since
    }
  }

  /// How the kit ends a subject and starts it again.
  package struct Restart: Hashable, Sendable {
    /// The ways to end the subject.
    package enum Ending: String, CaseIterable, Sendable {
      /// The adapter is asked to shut down.
      case clean
      /// The process is killed (SIGKILL).
      case kill
    }

    package var ending: Ending
    /// Whether the next launch uses the same storage.
    package var keepsStorage: Bool
    /// The logical time between the end and the next launch.
    package var away: LogicalTime
    /// The new values of the surroundings that change with the next launch.
    package var environment: Template

    package init(
      ending: Ending, keepsStorage: Bool = true, away: LogicalTime = .zero,
      environment: Template = Template(.object([]))
    ) {
      self.ending = ending
      self.keepsStorage = keepsStorage
      self.away = away
      self.environment = environment
    }
  }

  /// Alternatives that the kit tries in turn until it observes something.
  package struct Attempt: Hashable, Sendable {
    /// One alternative.
    package struct Way: Hashable, Sendable {
      package var name: String
      package var steps: [Step]

      package init(name: String, steps: [Step]) {
        self.name = name
        self.steps = steps
      }
    }

    /// The outcome if no alternative led to the observation.
    package static let none = "none"

    package var until: Selector
    package var ways: [Way]

    package init(until: Selector, ways: [Way]) {
      self.until = until
      self.ways = ways
    }
  }
}
