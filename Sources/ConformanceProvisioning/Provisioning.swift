import ConformanceModel
import HTTPValues
import JSONKit
import Templates

/// How the kit reaches or starts a server or a backend, the requests that the protocol leaves open, and the values and
/// hooks with which its operator brings it into the states that cases need.
///
/// It is read from a provisioning file (`spec/kit/provisioning.md`), with environment variables already filled in.
package struct Provisioning: Hashable, Sendable {
  /// The length of the shortest secret. A shorter text would be redacted wherever it occurs by chance.
  package static let shortestSecret = 4

  /// Replaces a value by the subject's own word for it.
  package struct Mapping: Hashable, Sendable {
    /// The value that is replaced.
    package var of: Template
    /// The replacements, by the text of the value.
    package var to: [String: Template]

    package init(of: Template, to: [String: Template]) {
      self.of = of
      self.to = to
    }
  }

  /// Carries out one command of an operator.
  package struct Hook: Hashable, Sendable {
    /// The ways to carry it out. Templates may use the parameters, the values, `server.url` and `now`.
    package enum Action: Hashable, Sendable {
      case http(Call)
      /// A program and its arguments. It receives the parameters as JSON on stdin and writes the result to stdout.
      case program([Template])
    }

    package var action: Action
    /// The limit in real time.
    package var timeLimit: LogicalTime

    /// The limit of a hook without one of its own.
    package static let patience = LogicalTime.seconds(10)

    package init(_ action: Action, timeLimit: LogicalTime = Hook.patience) {
      self.action = action
      self.timeLimit = timeLimit
    }
  }

  /// An HTTP request that carries out a command.
  package struct Call: Hashable, Sendable {
    /// The address of the request.
    package enum Target: Hashable, Sendable {
      /// A path below the base URL of the server under test; the headers of every request are added.
      case path(Template)
      /// Any other address; only the headers of the call are sent.
      case url(Template)
    }

    package var method: String
    package var target: Target
    package var headers: [String: Template]
    /// The body: text is sent as it is, any other value as JSON.
    package var body: Template?
    /// Values with names that the file chooses; the other templates of the call may use them.
    package var maps: [String: Mapping]
    /// The command's result; it may also use `answer.status`, `answer.headers`, `answer.body` and `answer.text`.
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

  /// The place of a part in its file.
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

  /// How the kit starts the subject itself. Templates may use the values and the addresses of the kit's ports.
  package struct Start: Hashable, Sendable {
    package var program: [Template]
    package var environment: [String: Template]
    /// A path that the subject answers, with any status, once it is ready.
    package var readyPath: String
    /// The limit until it is ready, in real time.
    package var readyWithin: LogicalTime
    /// The place in the file; nil for a value that was made in code.
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

    /// The hole for the name of the file with the authority of the run.
    package static let trustHole = "trust.file"

    /// Whether the subject receives the authority of the run: the services that it calls then use TLS.
    package var asksForTrust: Bool {
      (program + environment.values).contains { $0.holeNames.contains("trust") }
    }
  }

  /// A request to the subject after which it calls its services: the proof that it knows their addresses.
  package struct Probe: Hashable, Sendable {
    package var exchange: String
    /// Values for holes of the request.
    package var with: Template
    /// The upstream services that must have received something before the subject answers.
    package var reaches: [ServiceName]
    /// The place in the file; nil for a value that was made in code.
    package var place: Place?

    package init(exchange: String, with: Template = Template(.literal([:])), reaches: [ServiceName]) {
      self.exchange = exchange
      self.with = with
      self.reaches = reaches
    }
  }

  /// The limits of time and of attempts that the subject promises.
  package struct Limits: Hashable, Sendable {
    /// The longest time until it answers.
    package var deadline: LogicalTime?
    /// The number of attempts for a call of its own.
    package var attempts: Int?
    /// The longest pause before it tries again; nil if unknown.
    package var retryWindow: LogicalTime?

    package init(deadline: LogicalTime? = nil, attempts: Int? = nil, retryWindow: LogicalTime? = nil) {
      self.deadline = deadline
      self.attempts = attempts
      self.retryWindow = retryWindow
    }
  }

  /// Base URLs by service; the command line must name those that are missing.
  package var urls: [ServiceName: String]
  /// How the subject is started; nil if it already runs.
  package var start: Start?
  /// The request that shows that the subject calls the kit; nil without one.
  package var probe: Probe?
  /// The number of processes to start. Without ``start`` there is one subject, which serves one case at a time.
  package var slots: Int
  /// The dialect that the server speaks.
  package var dialect: Dialect?
  /// Header fields of every request to the server.
  package var headers: HTTPHeaders
  /// Content that exists before a case begins, by the names of the protocol's values.
  package var values: Bindings
  /// The header field that the server trusts for the address of its client.
  package var clientAddressHeader: String?
  /// A PEM file of certificates that are trusted in addition to those of the system.
  package var trust: String?
  package var hooks: [String: Hook]
  /// Removes data of earlier runs before the first case; `nil` if the file does not define it.
  package var cleanUp: Hook?
  /// Requests that obtain values before the first case, by the names of the values.
  package var logins: [String: Hook]
  /// The requests of bound exchanges, by their names.
  package var requests: [String: Exchange.Request]
  /// The paths of values in the answers to exchanges, by exchange and name.
  package var answers: [String: [String: JSONPath]]
  package var limits: Limits
  /// Texts that are redacted in all evidence.
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
