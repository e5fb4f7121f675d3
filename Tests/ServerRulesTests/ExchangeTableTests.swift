import ConformanceModel
import ServerRules
import Templates
import Testing

/// Which exchange a request belongs to.
@Suite struct ExchangeTableTests {
  private static func request(
    _ method: String, _ path: String, query: [String: String] = [:]
  ) throws -> Exchange.Request {
    .init(method: method, path: try Template(text: path), query: try query.mapValues { try Template(text: $0) })
  }

  private static func exchange(
    _ name: String, _ method: String, _ path: String, query: [String: String] = [:], at service: ServiceName = "main"
  ) throws -> Exchange {
    Exchange(name: name, text: "", service: service, request: try request(method, path, query: query))
  }

  /// The most general first, as no table should need it.
  private static func table(_ dialect: Dialect = "plain") throws -> ExchangeTable {
    var old = try exchange("old", "GET", "/old")
    old.requests = ["old": try request("GET", "/old")]
    var bound = try exchange("bound", "GET", "/bound")
    bound.requests = [:]
    return ExchangeTable(
      [
        try exchange("pair", "GET", "/a/${x}"), try exchange("single", "GET", "/a"),
        try exchange("literal", "GET", "/a/b"), try exchange("mixed", "GET", "/a/b-${x}"),
        try exchange("posted", "POST", "/a/b"), try exchange("found", "GET", "/q"),
        try exchange("fixed", "GET", "/q", query: ["kind": "one", "name": "${name}"]),
        try exchange("elsewhere", "GET", "/a/b", at: "other"), old, bound,
      ], dialect: dialect)
  }

  @Test(
    arguments: [
      ("GET", "/a", [], "main", "single"), ("GET", "/a/b", [], "main", "literal"),
      ("POST", "/a/b", [], "main", "posted"),
      ("GET", "/a/b-1", [], "main", "mixed"), ("GET", "/a/b-", [], "main", "pair"), ("GET", "/a/c", [], "main", "pair"),
      ("GET", "/a/", [], "main", nil), ("GET", "/a/b/c", [], "main", nil), ("DELETE", "/a/b", [], "main", nil),
      ("GET", "/a/b", [], "other", "elsewhere"), ("GET", "/a", [], "other", nil), ("GET", "/a", [], "gone", nil),
      ("GET", "/q", [], "main", "found"), ("GET", "/q", [("kind", "two")], "main", "found"),
      ("GET", "/q", [("x", ""), ("kind", "one")], "main", "fixed"), ("GET", "/old", [], "main", nil),
      ("GET", "/bound", [], "main", nil),
    ] as [(String, String, [(String, String)], ServiceName, String?)])
  func finds(method: String, path: String, query: [(String, String)], service: ServiceName, name: String?) throws {
    let query = query.map { (name: $0.0, value: $0.1) }
    let found = try Self.table().exchange(method: method, path: path, query: query, at: service)
    #expect(found?.name == name)
  }

  @Test func aDialectHasItsOwnRequests() throws {
    #expect(try Self.table("old").exchange(method: "GET", path: "/old", query: [], at: "main")?.name == "old")
  }

  /// A word of a path that is almost the right one, or another version; a short or a different word is not.
  @Test(
    arguments: [
      ("/v2/clients", "/v3/clients"), ("/v33/clients", "/v3/clients"), ("/v3/client", "/v3/clients"),
      ("/v/clients", nil), ("/w3/clients", nil), ("/v2/client", nil), ("/v3/orders", nil),
    ] as [(String, String?)])
  func aMisspeltWordIsANearMiss(path: String, meant: String?) throws {
    let table = ExchangeTable([try Self.exchange("clients", "POST", "/v3/clients")], dialect: "plain")
    #expect(table.nearMiss(method: "POST", path: path, query: [], at: "main")?.path == meant)
  }

  /// Of several exchanges at a path, a request with another method stands for the one that carries a body if it does.
  @Test(
    arguments: [
      ("POST", "set"), ("PATCH", "set"), ("put", "set"), ("HEAD", "cleared"), ("GET", "cleared"), ("delete", "cleared"),
    ])
  func anotherMethodIsANearMiss(method: String, name: String) throws {
    let table = ExchangeTable(
      [try Self.exchange("cleared", "DELETE", "/token"), try Self.exchange("set", "PUT", "/token")], dialect: "plain")
    #expect(table.nearMiss(method: method, path: "/token", query: [], at: "main")?.exchange.name == name)
  }

  @Test func aRequestAtTheWrongServiceIsKnown() throws {
    let found = try Self.table().services(method: "GET", path: "/a/b", query: [])
    #expect(found.map(\.service) == ["main", "other"])
    #expect(found.map(\.exchange.name) == ["literal", "elsewhere"])
  }

  @Test(arguments: [
    ("/a/b", "/a/${x}", true), ("/a/b", "/a/b-${x}", true), ("/a/b-${x}", "/a/${x}", true),
    ("/a/${x}", "/a/${y}", false),
    ("/${x}/b", "/a/${x}", false), ("/a/${x}", "/${x}/b", true),
  ])
  func theMoreLiteralIsAskedFirst(first: String, second: String, isFirst: Bool) throws {
    let (left, right) = (
      ExchangeRoute(try Self.request("GET", first)), ExchangeRoute(try Self.request("GET", second))
    )
    #expect(right.isLessSpecific(than: left) == isFirst)
    #expect(!(left.isLessSpecific(than: right) && right.isLessSpecific(than: left)))
  }

  @Test(arguments: [
    ("GET", "/a/${x}", "/a/b", true), ("GET", "/a/${x}", "/a/${y}", true), ("GET", "/a/b", "/a/${x}", false),
    ("GET", "/a/${x}", "/a/b/c", false), ("POST", "/a/${x}", "/a/b", false), ("GET", "/a/b-${x}", "/a/b-${y}", true),
    ("GET", "/a/b-${x}", "/a/c-${x}", false), ("GET", "/a/${x}", "/a/c-${x}", true),
  ])
  func whatIsNeverReachedIsSwallowed(method: String, path: String, other: String, isSwallowed: Bool) throws {
    let route = ExchangeRoute(try Self.request(method, path))
    #expect(route.swallows(ExchangeRoute(try Self.request("GET", other))) == isSwallowed)
  }

  @Test func aFixedQuerySwallowsLess() throws {
    let (open, fixed) = (
      ExchangeRoute(try Self.request("GET", "/q")), ExchangeRoute(try Self.request("GET", "/q", query: ["k": "1"]))
    )
    #expect(open.swallows(fixed))
    #expect(!fixed.swallows(open))
    #expect(open.isLessSpecific(than: fixed))
    #expect(!fixed.isLessSpecific(than: open))
  }
}
