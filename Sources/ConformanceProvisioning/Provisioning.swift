import ConformanceModel
import HTTPValues
import JSONKit
import Templates

/// Describes how the kit reaches or starts a server or a backend. Contains the requests that the file defines because
/// the protocol does not. Also contains the values and hooks with which the operator brings the subject into the states
/// that cases need.
///
/// The provisioning file (`spec/kit/provisioning.md`) contains all of this. Environment variables are already filled
/// in.
package struct Provisioning: Hashable, Sendable {
  /// The length of the shortest secret, in characters. A shorter text often occurs by chance, and would be redacted
  /// there, too.
  package static let shortestSecret = 4

  /// Replaces values of the protocol by the values that the subject uses in their place.
  package struct Mapping: Hashable, Sendable {
    /// The value that is replaced.
    package var of: Template
    /// Maps each value of the protocol, written as text, to its replacement.
    package var to: [String: Template]

    package init(of: Template, to: [String: Template]) {
      self.of = of
      self.to = to
    }
  }

  /// The way in which the kit performs one command for operators.
  package struct Hook: Hashable, Sendable {
    /// The ways to perform a command. Templates may use the parameters, the values, `server.url` and `now`.
    package enum Action: Hashable, Sendable {
      case http(Call)
      /// A program and its arguments. It receives the parameters as JSON on stdin and writes the result to stdout.
      case program([Template])
    }

    package var action: Action
    /// The longest real time that the command may take.
    package var timeLimit: LogicalTime

    /// The time limit of a hook that sets no limit of its own.
    package static let patience = LogicalTime.seconds(10)

    package init(_ action: Action, timeLimit: LogicalTime = Hook.patience) {
      self.action = action
      self.timeLimit = timeLimit
    }
  }

  /// An HTTP request that performs a command.
  package struct Call: Hashable, Sendable {
    /// The address of the request.
    package enum Target: Hashable, Sendable {
      /// A path below the base URL of the server under test. The request also gets the header fields that every request
      /// to the server contains.
      case path(Template)
      /// Any other address. The request gets only its own header fields.
      case url(Template)
    }

    package var method: String
    package var target: Target
    package var headers: [String: Template]
    /// The body: text is sent as it is, any other value as JSON.
    package var body: Template?
    /// Replacements of values, each under a name that the file chooses. The other templates of the request may use
    /// these names.
    package var maps: [String: Mapping]
    /// The result of the command. In addition to the names that all templates may use, its template may use
    /// `answer.status`, `answer.headers`, `answer.body` and `answer.text`.
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

  /// The place of a member in the provisioning file.
  package struct Place: Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// The line in the file, counted from 1. The column is counted from 1, too.
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
    /// A path at which the subject answers as soon as it is ready. Any answer is accepted.
    package var readyPath: String
    /// The time within which the subject must be ready, in real time.
    package var readyWithin: LogicalTime
    /// The place of this member in the file; nil if it was not read from a file.
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

    /// The hole for the path of a file with the certificate of the run's authority.
    package static let trustHole = "trust.file"

    /// Whether the subject receives the certificate of the run's authority. If so, the services that the subject calls
    /// use TLS.
    package var asksForTrust: Bool {
      (program + environment.values).contains { $0.holeNames.contains("trust") }
    }
  }

  /// A request that makes the subject call services that the kit plays. It proves that the subject knows their
  /// addresses.
  package struct Probe: Hashable, Sendable {
    package var exchange: String
    /// Values for holes of the request.
    package var with: Template
    /// The services that the kit plays and that the subject must call before it answers the probe.
    package var reaches: [ServiceName]
    /// The place of this member in the file; nil if it was not read from a file.
    package var place: Place?

    package init(exchange: String, with: Template = Template(.literal([:])), reaches: [ServiceName]) {
      self.exchange = exchange
      self.with = with
      self.reaches = reaches
    }
  }

  /// The limits that the subject promises to keep: of its time, and of its attempts.
  package struct Limits: Hashable, Sendable {
    /// The longest time until the subject answers a request.
    package var deadline: LogicalTime?
    /// The largest number of attempts that the subject makes for one call to a service.
    package var attempts: Int?
    /// The longest pause before the subject repeats a failed call; nil if the file does not contain it.
    package var retryWindow: LogicalTime?

    package init(deadline: LogicalTime? = nil, attempts: Int? = nil, retryWindow: LogicalTime? = nil) {
      self.deadline = deadline
      self.attempts = attempts
      self.retryWindow = retryWindow
    }
  }

  /// Maps each service to its base URL. If a URL is missing here, the command line must contain it.
  package var urls: [ServiceName: String]
  /// How the subject is started; nil if it already runs.
  package var start: Start?
  /// The request that proves that the subject calls the kit; nil if the file has no such request.
  package var probe: Probe?
  /// The number of processes to start. Without ``start`` there is only one process. If this process calls the kit, its
  /// cases run one after the other.
  package var slots: Int
  /// The dialect that the server supports; nil if the file names none.
  package var dialect: Dialect?
  /// The header fields that every request to the server contains.
  package var headers: HTTPHeaders
  /// Texts that the server knows before the first case. The keys are the names of values in the protocol's definition.
  package var values: Bindings
  /// The header field that the server trusts for the address of its client.
  package var clientAddressHeader: String?
  /// A PEM file of certificates that the kit trusts in addition to the system's certificates.
  package var trust: String?
  package var hooks: [String: Hook]
  /// The hook that removes data of earlier runs before the first case; nil if the file does not define this hook.
  package var cleanUp: Hook?
  /// Maps the names of values to the requests that obtain them before the first case.
  package var logins: [String: Hook]
  /// Maps each exchange whose request the protocol does not define to its request.
  package var requests: [String: Exchange.Request]
  /// Maps each exchange to the paths of values in its answer, by the names with which cases read these values.
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
