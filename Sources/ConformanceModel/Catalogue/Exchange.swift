/// A golden exchange: the request as the protocol defines it and the answers servers give to it.
///
/// Read by the mock server (answers), the reference client (requests), the bench (classification) and the judge.
package struct Exchange: Hashable, Sendable {
  /// The template of a request.
  package struct Request: Hashable, Sendable {
    package var method: String
    /// Path with holes, without query: `/api/sdk/v1/resolve/${shortCode}`.
    package var path: Template
    /// Query parameters by name.
    package var query: [String: Template]
    package var headers: [String: Template]
    package var body: Template?

    package init(
      method: String, path: Template, query: [String: Template] = [:], headers: [String: Template] = [:],
      body: Template? = nil
    ) {
      self.method = method
      self.path = path
      self.query = query
      self.headers = headers
      self.body = body
    }
  }

  /// The template of a response: a JSON body, or literal bytes.
  package struct Response: Hashable, Sendable {
    /// What follows the header.
    package enum Body: Hashable, Sendable {
      case none
      case json(Template)
      case bytes(Octets)
    }

    /// A header field whose value may have holes; one that may be left out is when a hole of it has no value.
    package struct Field: Hashable, Sendable {
      package var name: String
      package var isOptional: Bool
      package var value: Template

      package init(name: String, isOptional: Bool = false, value: Template) {
        self.name = name
        self.isOptional = isOptional
        self.value = value
      }
    }

    package var status: Int
    package var headers: [Field]
    package var body: Body

    package init(status: Int, headers: [Field] = [], body: Body = .none) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  package var name: String
  package var text: String
  /// The service that offers it.
  package var service: ServiceName
  /// The requests by dialect; the dialect `any` serves those not named. None where whoever lends the subject says how
  /// it is asked.
  package var requests: [Dialect: Request]
  /// The holes that cases fill in an exchange whose request is not the protocol's to fix.
  package var boundHoles: [String]?
  /// What a subject can do of which a binding of this exchange is the proof.
  package var capability: String?
  /// Named sets of bindings that the reference client renders requests with.
  package var bindings: [String: Bindings]
  /// Answers by name, then by dialect; the dialect `any` serves those not named.
  package var responses: [String: [Dialect: Response]]

  package init(
    name: String, text: String, service: ServiceName, requests: [Dialect: Request], boundHoles: [String]? = nil,
    capability: String? = nil, bindings: [String: Bindings] = [:], responses: [String: [Dialect: Response]] = [:]
  ) {
    self.name = name
    self.text = text
    self.service = service
    self.requests = requests
    self.boundHoles = boundHoles
    self.capability = capability
    self.bindings = bindings
    self.responses = responses
  }

  /// An exchange whose request is the same in every dialect.
  package init(
    name: String, text: String, service: ServiceName, request: Request, bindings: [String: Bindings] = [:],
    responses: [String: [Dialect: Response]] = [:]
  ) {
    self.init(
      name: name, text: text, service: service, requests: [.any: request], bindings: bindings, responses: responses)
  }

  /// Whether its request is not the protocol's to fix: a binding file says how a subject is asked.
  package var isBound: Bool { boundHoles != nil }

  /// The request in a dialect, else the one for `any`.
  package func request(in dialect: Dialect) -> Request? { requests[dialect] ?? requests[.any] }

  /// The answer of this name in a dialect, else the one for `any`.
  package func response(_ name: String, in dialect: Dialect) -> Response? {
    responses[name]?[dialect] ?? responses[name]?[.any]
  }
}
