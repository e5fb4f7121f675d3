import JSONKit

/// How the kit reaches or starts a server or a backend, how it is asked where the protocol leaves that open, and what its
/// operator lends to bring it into the states that cases need.
///
/// It is read from a provisioning file (`spec/kit/provisioning.md`), the environment already put in.
package struct Provisioning: Hashable, Sendable {
  /// The shortest secret: a shorter one would be found, and blackened, wherever it occurs by chance.
  package static let shortestSecret = 4

  /// Gives a value the word that the subject has for it.
  package struct Mapping: Hashable, Sendable {
    /// The value that is replaced.
    package var of: Template
    /// What replaces it, by the text of the value.
    package var to: [String: Template]

    package init(of: Template, to: [String: Template]) {
      self.of = of
      self.to = to
    }
  }

  /// What carries out one command of the role server.
  package struct Hook: Hashable, Sendable {
    /// The ways to do it. Templates see the parameters, the values, `server.url` and `now`.
    package enum Action: Hashable, Sendable {
      case http(Call)
      /// A program and its arguments: it gets the parameters as JSON on stdin and writes the result to stdout.
      case program([Template])
    }

    package var action: Action
    /// How long it may take in reality.
    package var timeLimit: LogicalTime

    /// What a hook may take that says nothing of it.
    package static let patience = LogicalTime.seconds(10)

    package init(_ action: Action, timeLimit: LogicalTime = Hook.patience) {
      self.action = action
      self.timeLimit = timeLimit
    }
  }

  /// An HTTP request that carries out a command.
  package struct Call: Hashable, Sendable {
    /// Where it goes.
    package enum Target: Hashable, Sendable {
      /// Below the base URL of the server under test, with the headers of every request.
      case path(Template)
      /// Anywhere else, with the headers of the call alone.
      case url(Template)
    }

    package var method: String
    package var target: Target
    package var headers: [String: Template]
    /// A text is sent as it is, anything else as JSON.
    package var body: Template?
    /// Values under names of the file's own, which the other templates of the call see.
    package var maps: [String: Mapping]
    /// The command's result; sees `answer.status`, `answer.headers`, `answer.body` and `answer.text` besides.
    package var result: Template

    package init(
      method: String, target: Target, headers: [String: Template] = [:], body: Template? = nil,
      maps: [String: Mapping] = [:], result: Template = Template(.literal(.null))
    ) {
      self.method = method
      self.target = target
      self.headers = headers
      self.body = body
      self.maps = maps
      self.result = result
    }
  }

  /// Where a part of it stands in its file.
  package struct Place: Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// Both count from 1.
    package var line: Int
    package var column: Int
    package var field: JSONPath

    package init(file: String, line: Int, column: Int, field: JSONPath) {
      self.file = file
      self.line = line
      self.column = column
      self.field = field
    }

    package var description: String { "\(file):\(line):\(column): \(field)" }
  }

  /// How the kit starts the subject itself. Templates see the values and the addresses of the kit's ports.
  package struct Start: Hashable, Sendable {
    package var program: [Template]
    package var environment: [String: Template]
    /// A path that is answered, whatever with, once the subject is ready.
    package var readyPath: String
    /// How long that may take in reality.
    package var readyWithin: LogicalTime
    /// nil for one that was made in code.
    package var place: Place?

    package init(
      program: [Template], environment: [String: Template] = [:], readyPath: String = "/",
      readyWithin: LogicalTime = .seconds(10)
    ) {
      self.program = program
      self.environment = environment
      self.readyPath = readyPath
      self.readyWithin = readyWithin
    }

    /// The hole in which the subject is told the file with the authority of the run.
    package static let trustHole = "trust.file"

    /// Whether the subject is told whom to trust: what it calls then speaks TLS.
    package var asksForTrust: Bool {
      (program + environment.values).contains { $0.holeNames.contains("trust") }
    }
  }

  /// A call of the subject that reaches the services it calls itself: the proof that it knows where they are.
  package struct Probe: Hashable, Sendable {
    package var exchange: String
    /// Values for holes of the request.
    package var with: Template
    /// The services upstream at which something has arrived by the time of the answer.
    package var reaches: [ServiceName]
    /// nil for one that was made in code.
    package var place: Place?

    package init(exchange: String, with: Template = Template(.literal([:])), reaches: [ServiceName]) {
      self.exchange = exchange
      self.with = with
      self.reaches = reaches
    }
  }

  /// What the subject promises of its own patience.
  package struct Limits: Hashable, Sendable {
    /// How long it may take to answer.
    package var deadline: LogicalTime?
    /// How often it tries a call of its own.
    package var attempts: Int?
    /// The longest pause that it makes before it tries something again; nil when nobody says so.
    package var retryWindow: LogicalTime?

    package init(deadline: LogicalTime? = nil, attempts: Int? = nil, retryWindow: LogicalTime? = nil) {
      self.deadline = deadline
      self.attempts = attempts
      self.retryWindow = retryWindow
    }
  }

  /// Base URLs by service; those that are missing the command line has to name.
  package var urls: [ServiceName: String]
  /// How the subject is started; nil for one that is there already.
  package var start: Start?
  /// How to see that the subject calls the kit; nil when nobody says so.
  package var probe: Probe?
  /// How many processes are started; without ``start`` there is one subject, asked by one case at a time.
  package var slots: Int
  /// The dialect that the server speaks.
  package var dialect: Dialect?
  /// What every request to the server carries.
  package var headers: HTTPHeaders
  /// What is there before a case begins, by the names of the protocol's values.
  package var values: Bindings
  /// The header field that the server believes about the address of its client.
  package var clientAddressHeader: String?
  /// A file of certificates, in PEM, that are trusted besides the system's.
  package var trust: String?
  package var hooks: [String: Hook]
  /// Removes what earlier runs have left, before the first case; `nil` if the file does not say how.
  package var cleanUp: Hook?
  /// Requests that obtain values before the first case, by the names of the values.
  package var logins: [String: Hook]
  /// The requests of bound exchanges, by their names.
  package var requests: [String: Exchange.Request]
  /// Where values stand in the answers to exchanges, by exchange and name.
  package var answers: [String: [String: JSONPath]]
  package var limits: Limits
  /// Texts that no evidence may hold.
  package var secrets: [String]

  package init(
    urls: [ServiceName: String] = [:], start: Start? = nil, probe: Probe? = nil, slots: Int = 1,
    dialect: Dialect? = nil,
    headers: HTTPHeaders = [:], values: Bindings = [:], clientAddressHeader: String? = nil, trust: String? = nil,
    hooks: [String: Hook] = [:], cleanUp: Hook? = nil, logins: [String: Hook] = [:],
    requests: [String: Exchange.Request] = [:],
    answers: [String: [String: JSONPath]] = [:], limits: Limits = Limits(), secrets: [String] = []
  ) {
    self.urls = urls
    self.start = start
    self.probe = probe
    self.slots = slots
    self.dialect = dialect
    self.headers = headers
    self.values = values
    self.clientAddressHeader = clientAddressHeader
    self.trust = trust
    self.hooks = hooks
    self.cleanUp = cleanUp
    self.logins = logins
    self.requests = requests
    self.answers = answers
    self.limits = limits
    self.secrets = secrets
  }
}
