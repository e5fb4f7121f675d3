import ConformanceModel
import ConformancePack
import ConformanceSpec
import SpecDocuments
import Testing

@testable import Lint

/// A catalogue around a `server.yaml`: an example of the page that defines its form, or any other text.
struct ServerSample: Sendable {
  static let path = "spec/sample/server.yaml"

  var texts: [String: String]

  /// The first example of the page: passes and towers.
  static func towers() throws -> ServerSample {
    try ServerSample(server: page(example: 0), definition: towersDefinition, exchanges: towersExchanges)
  }

  /// The second example: tokens that rotate.
  static func tokens() throws -> ServerSample {
    try ServerSample(server: page(example: 1), definition: tokensDefinition, exchanges: tokensExchanges)
  }

  private init(server: String, definition: String, exchanges: [String: String]) {
    texts = [Self.path: server, "spec/sample/protocol.yaml": definition, "spec/sample/requirements/r.yaml": Self.rules]
    for (name, members) in exchanges {
      texts["Fixtures/sample/exchanges/\(name).json"] =
        "{ \"kit\": 2, \"exchange\": \"\(name)\", \"text\": \"x\", \"at\": \"main\", \(members) }"
    }
  }

  /// An example that is a whole file, by its number.
  private static func page(example: Int) throws -> String {
    let page = try CatalogueFolder(root: Sample.repository).bytes(of: "spec/kit/server-format.md")
    let blocks = String(decoding: page, as: UTF8.self).split(separator: "```yaml\n").dropFirst()
      .map { $0.split(separator: "```", maxSplits: 1)[0] }
    return String(try #require(blocks.filter { $0.hasPrefix("kit: 2\n") }.dropFirst(example).first))
  }

  func replacing(
    _ old: String, with new: String, in path: String = Self.path, _ location: SourceLocation = #_sourceLocation
  ) throws -> ServerSample {
    var copy = self
    let text = try #require(texts[path], sourceLocation: location)
    try #require(text.contains(old), "'\(old)' is not in \(path)", sourceLocation: location)
    copy.texts[path] = text.replacing(old, with: new)
    return copy
  }

  func sources() async throws -> CatalogueSources {
    try await CatalogueLoader(CatalogueFolder(texts: texts), schemas: Sample.schemas.get()).sources(of: "sample")
  }

  /// The errors of reading and of the lint rules about servers.
  func complaints() async throws -> [Diagnostic] {
    await Linter.lint(CatalogueFolder(texts: texts), protocol: "sample", schemas: try Sample.schemas.get())
      .filter { $0.severity == .error }
  }

  func server(
    dialect: Dialect = "one", seed: UInt64 = 1, switches: Set<DefectID> = []
  ) async throws -> any ServerModel {
    let pack = try #require(ProtocolPack(dataOf: await sources().catalogue))
    return pack.makeServer(dialect, seed, switches)
  }
}

extension ServerSample {
  private static let rules = """
    kit: 2
    requirements:
      - { id: SA-ONE-001, role: sdk, level: MUST, basis: stated, source: { section: s, revision: r }, text: x., untestable: x }

    """

  private static let head = """
    kit: 2
    protocol: sample
    title: Sample
    document: Sample
    revision: "1"
    services: [ { name: main, text: x } ]
    roles: { sdk: { driver: true, upstream: [main] }, server: { downstream: [main] } }
    dialects: [one]
    features: []
    errorKinds: []

    """

  private static func command(_ name: String, _ parameter: String) -> String {
    """
      - command: \(name)
        role: server
        capability: operations
        text: x
        params: { type: object, required: [\(parameter)], properties: { \(parameter): { type: string } }, additionalProperties: false }
        result: true

    """
  }

  private static let towersDefinition =
    head + """
      capabilities:
        - { name: api-key, role: server, required: false, text: x }
        - { name: operations, role: server, required: false, text: x }
      values: [ { name: apiKey, capability: api-key, text: x } ]
      commands:

      """ + command("grantPass", "pass") + command("expirePass", "pass") + command("setWatch", "watch")

  private static let tokensDefinition =
    head + """
      capabilities:
        - { name: operations, role: server, required: false, text: x }
      commands:

      """ + command("expireToken", "token") + command("pushTokenOf", "client")

  private static let towersExchanges = [
    "issue": """
    "request": { "method": "POST", "path": "/passes", "headers": { "Authorization": "Bearer ${key}" }, "body": { "keeper": "${keeper:text}" } },
    "bindings": { "default": { "keeper": "anna", "key": "key-of-the-station" } },
    "responses": {
      "issued": { "any": { "status": 201, "headers": { "X-Watch?": "${watch}" }, "body": { "pass": "${pass:text}", "keeper": "${keeper:text}" } } },
      "unauthorized": { "any": { "status": 401 } }
    }
    """,
    "signal": """
    "request": { "method": "POST", "path": "/towers/${tower}/signals", "headers": { "X-Pass": "${pass:text}" }, "body": { "id": "${id:text}" } },
    "bindings": { "default": { "tower": "north", "id": "1" } },
    "responses": {
      "shown": { "any": { "status": 202, "headers": { "X-Watch": "${watch:text}" }, "body": { "seq": "${seq:integer}" } } },
      "refused": { "any": { "status": 409, "body": { "error": "${reason:text}" } } }
    }
    """,
  ]

  private static let tokensExchanges = [
    "register": """
    "request": { "method": "POST", "path": "/client", "headers": { "X-Client": "${client:text}" } },
    "responses": { "registered": { "any": { "status": 204, "headers": { "X-State": "${state:text}" } } }, "refused": { "any": { "status": 400 } } }
    """,
    "contact": """
    "request": { "method": "POST", "path": "/contact", "headers": { "X-Client": "${client:text}" }, "body": { "field": "${field:text}", "value": "${value:text}" } },
    "responses": {
      "linked": { "any": { "status": 200, "headers": { "X-State": "${state:text}" }, "body": { "token": "${token:text}", "refresh": "${refresh:text}" } } },
      "refused": { "any": { "status": 400 } }
    }
    """,
    "renew": """
    "request": { "method": "POST", "path": "/renew", "body": { "refresh": "${refresh:text}" } },
    "responses": { "renewed": { "any": { "status": 200, "body": { "token": "${token:text}" } } }, "unauthorized": { "any": { "status": 401 } } }
    """,
    "push": """
    "request": { "method": "PUT", "path": "/push", "headers": { "X-Client": "${client:text}" }, "body": { "pushToken": "${pushToken:text}" } },
    "responses": { "taken": { "any": { "status": 204, "headers": { "X-State": "${state:text}" } } }, "refused": { "any": { "status": 400 } } }
    """,
    "events": """
    "request": { "method": "POST", "path": "/events", "headers": { "X-Client": "${client:text}", "X-Token": "${token:text}" } },
    "responses": {
      "taken": { "any": { "status": 200, "headers": { "X-State": "${state:text}" }, "body": { "views": "${views:integer}" } } },
      "unauthorized": { "any": { "status": 401, "body": { "reason": "${reason:text}" } } },
      "refused": { "any": { "status": 400 } }
    }
    """,
  ]
}
