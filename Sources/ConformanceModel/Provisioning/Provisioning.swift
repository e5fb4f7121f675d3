/// How the kit reaches a server, and what its operator lends to bring it into the states that cases need.
///
/// It is read from a provisioning file (`spec/kit/provisioning.md`), the environment already put in.
package struct Provisioning: Hashable, Sendable {
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
    /// The command's result; sees `answer.status`, `answer.headers`, `answer.body` and `answer.text` besides.
    package var result: Template

    package init(
      method: String, target: Target, headers: [String: Template] = [:], body: Template? = nil,
      result: Template = Template(.literal(.null))
    ) {
      self.method = method
      self.target = target
      self.headers = headers
      self.body = body
      self.result = result
    }
  }

  /// The base URL; nil when the command line has to name it.
  package var url: String?
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
  /// Texts that no evidence may hold.
  package var secrets: [String]

  package init(
    url: String? = nil, dialect: Dialect? = nil, headers: HTTPHeaders = [:], values: Bindings = [:],
    clientAddressHeader: String? = nil, trust: String? = nil, hooks: [String: Hook] = [:], secrets: [String] = []
  ) {
    self.url = url
    self.dialect = dialect
    self.headers = headers
    self.values = values
    self.clientAddressHeader = clientAddressHeader
    self.trust = trust
    self.hooks = hooks
    self.secrets = secrets
  }
}
