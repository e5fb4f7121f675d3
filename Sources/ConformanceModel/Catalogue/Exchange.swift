import HTTPValues
import Templates

/// A golden exchange: the request that the protocol defines, and the answers that a server may give.
///
/// The mock server uses the answers, and the reference client uses the requests. The bench and the judge use the
/// requests to find the exchange to which a message belongs.
package struct Exchange: Hashable, Sendable {
  /// The template of a request.
  package struct Request: Hashable, Sendable {
    package var method: String
    /// The path with holes, without query: `/api/sdk/v1/resolve/${shortCode}`.
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
    /// The content after the header fields.
    package enum Body: Hashable, Sendable {
      case none
      case json(Template)
      case bytes(Octets)
    }

    /// A header field whose value may have holes. An optional field is left out if one of its holes has no value.
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
  /// The service that offers the exchange.
  package var service: ServiceName
  /// Maps each dialect to its request; `any` is for all dialects without an entry. Empty if the binding file of the
  /// subject defines the request.
  package var requests: [Dialect: Request]
  /// The holes that cases fill if the protocol does not define the request; nil if the protocol defines it.
  package var boundHoles: [String]?
  /// The capability that a subject has if its binding file defines this exchange; nil if no capability depends on it.
  package var capability: String?
  /// Named sets of bindings for the requests of the reference client.
  package var bindings: [String: Bindings]
  /// The answers by their names, then by dialect; `any` is for all dialects without an entry.
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

  /// Whether the protocol does not define the request, so that the binding file of the subject must define it.
  package var isBound: Bool { boundHoles != nil }

  /// The request in this dialect. If there is none, the request for `any`.
  package func request(in dialect: Dialect) -> Request? { requests[dialect] ?? requests[.any] }

  /// The answer with this name in this dialect. If there is none, the answer for `any`.
  package func response(_ name: String, in dialect: Dialect) -> Response? {
    responses[name]?[dialect] ?? responses[name]?[.any]
  }
}
