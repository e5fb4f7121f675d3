import JSONKit

/// One thing the runner does in a case.
package struct Step: Hashable, Sendable {
  /// The closed vocabulary.
  package indirect enum Action: Hashable, Sendable {
    /// Ask the adapter, or what provisions a server, for a command of the protocol.
    case call(Call)
    /// Send a request to the subject.
    case send(Send)
    /// Script the answers of the mock to an exchange.
    case answer(Answer)
    /// Do to the mock what an operator could do to a server.
    case operate(Operate)
    /// Break the wire.
    case fault(Fault)
    /// End faults: of an exchange, at a service, or all.
    case heal(Scope)
    /// Let go of the answers that a `hold` keeps.
    case release(Scope)
    /// Wait until something has been observed.
    case await(Await)
    /// Let everything finish that is going to happen within this time.
    case settle(within: LogicalTime)
    /// Let time pass.
    case advance(LogicalTime)
    /// End the subject and start it again.
    case restart(Restart)
    /// Change what surrounds the app while it runs.
    case surroundings(Template)
    /// Look in the app's storage for these texts, a list.
    case search(storageFor: Template)
    /// Do these at once.
    case together([Step])
    /// Do these several times.
    case `repeat`(times: Int, variable: String, steps: [Step])
    /// Try ways in turn until something is observed.
    case attempt(Attempt)
    /// Ask for operations that are drawn at random, and compare with the reference server.
    case explore(Exploration)
    /// The steps that the protocol has under a name.
    case perform(name: String, steps: [Step])
  }

  package var action: Action
  /// The name under which claims find the step and its outcome; may hold loop variables.
  package var label: Template?

  package init(_ action: Action, label: Template? = nil) {
    self.action = action
    self.label = label
  }
}

extension Step.Action {
  /// The words of the vocabulary, each once.
  package static let words = [
    "call", "send", "answer", "operate", "fault", "heal", "release", "await", "settle", "advance", "restart",
    "surroundings", "search", "together", "repeat", "attempt", "explore", "do",
  ]

  /// The word of the vocabulary by which a case calls it.
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
  /// How a case may go, as far as that decides how long a step takes.
  package enum Course: Hashable, Sendable {
    /// Nothing comes that is waited for, and every way of an attempt is in vain.
    case worst
    /// What is waited for is there at once, the first way of an attempt does, and what goes on has come to rest after
    /// this time; nil when nobody can know.
    case best(rest: LogicalTime?)
  }

  /// How long the step lets time pass of its own accord; commands and requests take no time by themselves.
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

  /// Whether the step lets the subject act until the step ends, so that a later `await` counts from its beginning.
  package var letsSubjectAct: Bool {
    switch action {
    case .call(let call): call.waits
    case .send(let send): send.waits
    case .settle, .advance, .restart, .surroundings, .explore: true
    case .together, .repeat, .attempt, .perform: inner.contains(where: \.letsSubjectAct)
    case .answer, .operate, .fault, .heal, .release, .await, .search: false
    }
  }

  /// The steps inside it.
  package var inner: [Step] {
    switch action {
    case .together(let steps), .repeat(_, _, let steps), .perform(_, let steps): steps
    case .attempt(let attempt): attempt.ways.flatMap(\.steps)
    default: []
    }
  }

  /// What the transcript calls it.
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
  /// How long the steps, one after the other, let time pass.
  package func span(_ course: Step.Course) -> LogicalTime { reduce(.zero) { $0 + $1.span(course) } }
}

extension Step {
  /// A command to the adapter.
  package struct Call: Hashable, Sendable {
    /// What the rest of the case needs from the command.
    package enum Need: String, CaseIterable, Sendable {
      /// It must succeed, or the case has not reached its precondition.
      case succeeds
      /// It must fail, or the case has not reached its precondition.
      case fails
      /// It may succeed or fail: claims look at it.
      case either
    }

    package var command: String
    package var params: Template
    /// Whether the next step waits for the reply.
    package var waits: Bool
    package var need: Need

    package init(command: String, params: Template, waits: Bool = true, need: Need = .succeeds) {
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
    /// The name of the connection that it goes over, after the requests before it; nil for one of its own.
    package var over: String?
    /// Whether the next step waits for the response.
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

  /// Answers that the mock gives instead of the reference server's.
  package struct Answer: Hashable, Sendable {
    package var exchange: String
    /// The named response of the golden exchange.
    package var response: String
    /// Only to requests that match, in the view of ``RequestRecord/view``.
    package var filter: Template?
    /// Bindings of the response's holes.
    package var with: Template
    /// Changes of the JSON body after rendering.
    package var edits: [Edit]
    /// Header fields set, or removed when nil.
    package var headers: [String: Template?]
    package var status: Int?
    /// How many requests get it; nil until another answer is scripted.
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

  /// A command of an operator, done to the mock.
  package struct Operate: Hashable, Sendable {
    package var command: String
    package var params: Template

    package init(command: String, params: Template) {
      self.command = command
      self.params = params
    }
  }

  /// Which faults are meant: those of an exchange, at a service, or all.
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

    /// What `since` says of an observation that counts whenever in the case it came.
    package static let wholeCase = "case"

    package var target: Target
    package var count: Int
    /// How long it may take.
    package var within: LogicalTime
    /// ``wholeCase``, or the label of the step from whose beginning on observations count; nil for the last step before it that waits.
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
    /// How long no app runs in between.
    package var away: LogicalTime
    /// What of its surroundings is another now.
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

  /// Ways to go on, tried in turn until something is observed.
  package struct Attempt: Hashable, Sendable {
    /// One of them.
    package struct Way: Hashable, Sendable {
      package var name: String
      package var steps: [Step]

      package init(name: String, steps: [Step]) {
        self.name = name
        self.steps = steps
      }
    }

    /// The outcome when no way led to the observation.
    package static let none = "none"

    package var until: Selector
    package var ways: [Way]

    package init(until: Selector, ways: [Way]) {
      self.until = until
      self.ways = ways
    }
  }
}
