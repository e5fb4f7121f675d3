import ConformanceModel
import HTTPValues
import JSONKit
import Testing

@testable import LiveServer

/// The server as an app and its developer meet it.
@Suite struct LiveServerTests {
  @Test func aRequestIsInTheJournalWithItsExchangeAndItsAnswer() async throws {
    try await LiveStation.use { station in
      _ = try await station.send(
        "POST", "/api/sdk/v1/install", headers: ["User-Agent": "Shop/1.0"], body: LiveStation.install)
      let entry = try #require(try await station.asked().first)
      #expect(entry["exchange"] == "install")
      #expect(entry["status"]?.int == station.entries.first?.response?.status)
      #expect(entry["request"]?["line"] == "POST /api/sdk/v1/install HTTP/1.1")
      #expect(entry["request"]?["body"] == .string(LiveStation.install))
      #expect(entry["violations"] == [])
      #expect(entry["number"] == 1)
    }
  }

  @Test(
    arguments: [
      (
        "\"screenWidth\":1080", "\"screenWidth\":\"1080\"", "LF-DDL-004",
        "$.body.screenWidth: expected an integer, observed \"1080\""
      ),
      ("\"userAgent\":\"Shop/1.0\",", "", "LF-DDL-001", "$.body.userAgent"),
      ("\"timezone\":\"Europe/Berlin\"", "\"timezone\":\"+01:00\"", "LF-DDL-002", "observed \"+01:00\""),
    ])
  func aWrongRequestNamesTheRequirement(right: String, wrong: String, requirement: String, says: String) async throws {
    try await LiveStation.use { station in
      let body = LiveStation.install.replacing(right, with: wrong)
      _ = try await station.send("POST", "/api/sdk/v1/install", headers: ["User-Agent": "Shop/1.0"], body: body)
      let entry = try #require(try await station.asked("?violations=true").first)
      #expect(entry["violations"]?.array?.map { $0["requirement"] } == [.string(requirement)])
      #expect(entry["violations"]?.array?.first?["findings"]?.array?.first?.string?.contains(says) == true, "\(entry)")
      let lines = ServeLog(.init(isOn: false), showsBodies: false).lines(of: try #require(station.entries.first))
      #expect(lines.contains("✗ \(requirement)  "), "\(lines)")
    }
  }

  @Test(
    arguments: [
      ("GET", "/api/sdk/v1/install", "nearest is install: its method is POST, not GET"),
      ("POST", "/api/sdk/v1/instal", "the path has 'instal' in place of 'install'"),
      ("POST", "/api/sdk/v1/install/", "the path ends in '/'"),
      ("GET", "/nothing/like/it", "no exchange has this method and path"),
      ("GET", "/apo/sdk/v1/health", "nearest is health: the path has 'apo' in place of 'api'"),
      ("GET", "/ap/sdk/v1/health", "nearest is health: the path has 'ap' in place of 'api'"),
      ("POST", "/sdk/v1/install", "nearest is install: the path lacks 'api'"),
      (
        "GET", "/api/v1/sdk/health",
        "nearest is health: the words of the path are in another order than in '/api/sdk/v1/health'"
      ),
      (
        "GET", "/api/sdk/v1/installs",
        "nearest is install: the path has 'installs' in place of 'install', and its method is POST, not GET"
      ),
      ("GET", "/api/sdk/v1/he%61lth", "nearest is health: the path has '/api/sdk/v1/he%61lth' in place of"),
    ])
  func anUnknownPathIsToldWithTheNearest(method: String, path: String, says: String) async throws {
    try await LiveStation.use { station in
      _ = try await station.send(method, path, headers: ["User-Agent": "Shop/1.0"])
      let entry = try #require(try await station.asked().first)
      #expect(entry["exchange"] == nil)
      #expect(entry["nearMiss"]?.string?.contains(says) == true, "\(entry)")
    }
  }

  /// Each fault as the app sees it. An answer that never comes is not waited for.
  @Test(arguments: LiveFault.allCases.filter { $0 != .hang && $0 != .slow })
  func aFaultChangesTheAnswerUntilItIsTakenBack(fault: LiveFault) async throws {
    try await LiveStation.use { station in
      func health() async -> Int? { try? await station.send("GET", "/api/sdk/v1/health").status }
      #expect(await health() == 200)
      let settings = try await station.send("PATCH", "/_conform/server", body: "{\"fault\":\"\(fault.rawValue)\"}")
      #expect(settings.body.json?["fault"] == .string(fault.rawValue))
      #expect(await health() == Int(fault.rawValue))
      #expect(try await station.asked().last?["fault"] != nil)
      _ = try await station.send("PATCH", "/_conform/server", body: "{\"fault\":null}")
      #expect(await health() == 200)
    }
  }

  @Test func aResetAndADialectMakeTheServerAnew() async throws {
    try await LiveStation.use { station in
      func install() async throws -> JSON? {
        try await station.send("POST", "/api/sdk/v1/install", body: LiveStation.install).body.json?["installId"]
      }
      let first = try await install()
      let second = try await install()
      #expect(first != nil && first != second)
      _ = try await station.send("PATCH", "/_conform/server", body: "{\"reset\":true}")
      #expect(try await install() == first)
      let other = try #require(await LiveStation.catalogue.value.definition.dialects.last)
      let settings = try await station.send("PATCH", "/_conform/server", body: "{\"dialect\":\"\(other)\"}")
      #expect(settings.body.json?["dialect"] == .string(other.rawValue))
    }
  }

  @Test(
    arguments: [
      ("GET", "/_conform/requests", ["Conform-Token": "wrong"], "", 403, "must have the token"),
      ("GET", "/_conform/server", ["Host": "evil.example"], "", 403, "not at 'evil.example'"),
      ("GET", "/_conform/server", ["Origin": "http://evil.example"], "", 403, "pages of 'http://evil.example'"),
      (
        "OPTIONS", "/_conform/server", ["Origin": "http://a.example", "Access-Control-Request-Method": "PATCH"], "",
        403, "pages"
      ),
      ("POST", "/_conform/requests", [:], "", 405, "only DELETE, GET"),
      ("POST", "/_conform/", [:], "", 405, "only GET"),
      ("GET", "/_conform/requests?since=3", [:], "", 400, "unknown filter 'since'"),
      ("GET", "/_conform/requests?status=abc", [:], "", 400, "'status' expects a status such as 404"),
      ("GET", "/_conform/requests?status=9xx", [:], "", 400, "found '9xx'"),
      ("GET", "/_conform/requests?status=xx", [:], "", 400, "found 'xx'"),
      ("GET", "/_conform/requests?status=404&status=200", [:], "", 400, "the filter 'status' is given twice"),
      ("GET", "/_conform/requests?violations=maybe", [:], "", 400, "'violations' expects true or false, found 'maybe'"),
      ("GET", "/_conform/requests?exchange=helth", [:], "", 400, "no exchange 'helth'; did you mean 'health'?"),
      ("GET", "/_conform/requests?after=-1", [:], "", 400, "'after' expects a number from 0, found '-1'"),
      ("PATCH", "/_conform/server", [:], "no", 400, "expected a JSON object"),
      ("PATCH", "/_conform/server", [:], "{\"speed\":1}", 400, "unknown setting 'speed'"),
      ("PATCH", "/_conform/server", [:], "{\"dialect\":\"latin\"}", 400, "unknown dialect; expected one of"),
      ("PATCH", "/_conform/server", [:], "{\"fault\":5}", 400, "unknown fault; expected one of"),
    ] as [(String, String, HTTPHeaders, String, Int, String)])
  func whatIsNotAllowedIsRefused(
    method: String, target: String, headers: HTTPHeaders, body: String, status: Int, says: String
  ) async throws {
    try await LiveStation.use { station in
      let answer = try await station.send(method, target, headers: headers, body: body)
      #expect(answer.status == status)
      #expect(answer.body.json?["error"]?.string?.contains(says) == true, "\(answer.body.text)")
      #expect(answer.headers["Access-Control-Allow-Methods"] == nil)
      #expect(station.entries.isEmpty)
    }
  }

  /// One line says that the body is not JSON. The missing members of such a body are not listed.
  @Test func aBodyThatIsNotJSONIsNamed() async throws {
    try await LiveStation.use { station in
      _ = try await station.send("POST", "/api/sdk/v1/install", headers: ["User-Agent": "Shop/1.0"], body: "{broken")
      let entry = try #require(try await station.asked("?violations=true").first)
      #expect(entry["problem"]?.string?.hasPrefix("the body is not JSON: not JSON at byte 1") == true, "\(entry)")
      let lines = ServeLog(.init(isOn: false), showsBodies: false).lines(of: try #require(station.entries.first))
      #expect(lines.contains("✗ the body is not JSON") && !lines.contains("$.body"), "\(lines)")
    }
  }

  @Test func thePageIsFoundWithoutTheSlashAtItsEnd() async throws {
    try await LiveStation.use { station in
      let answer = try await station.send("GET", "/_conform")
      #expect(answer.status == 308 && answer.headers["Location"] == "/_conform/")
      #expect(station.entries.isEmpty)
    }
  }

  @Test func thePageMayLoadNothing() async throws {
    try await LiveStation.use { station in
      let page = try await station.send("GET", "/_conform/", headers: ["Conform-Token": ""])
      #expect(page.status == 200)
      #expect(page.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; ") == true)
      #expect(!page.body.text.contains("{{") && !page.body.text.contains(station.server.token))
      for sign in ["src=", "href=", " url(", ":url(", "@import"] { #expect(!page.body.text.contains(sign), "\(sign)") }
    }
  }

  /// A page of an app may ask the protocol's server, which a browser asks for first.
  @Test func thePreflightOfAnAppIsAnsweredAndNotNoted() async throws {
    try await LiveStation.use { station in
      let answer = try await station.send(
        "OPTIONS", "/api/sdk/v1/install",
        headers: ["Origin": "http://localhost:5173", "Access-Control-Request-Method": "POST"])
      #expect(answer.status == 204)
      #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
      #expect(station.entries.isEmpty)
    }
  }

  @Test func bytesThatAreNotHTTPAreNoted() async throws {
    try await LiveStation.use { station in
      _ = try? await station.send("GET", "/no path with blanks")
      let entry = try #require(try await station.asked().first)
      #expect(entry["problem"]?.string?.hasPrefix("not HTTP: ") == true, "\(entry)")
    }
  }
}

/// The memory of the journal, and what it gives out.
@Suite struct LiveJournalTests {
  private func entry(_ status: Int, _ target: String = "/a", body: Int = 0, isBad: Bool = false) -> LiveEntry {
    var entry = LiveEntry(at: .init(milliseconds: 0), service: "api")
    entry.request = .init(
      connection: 1, line: "GET \(target) HTTP/1.1", headers: [:], body: .init(Array(repeating: 65, count: body)),
      exchange: "health", nearMiss: isBad ? "nearest is health" : nil)
    entry.response = .init(connection: 1, line: "HTTP/1.1 \(status) X", headers: [:], body: .init([]))
    return entry
  }

  @Test func itIsBounded() {
    let journal = LiveJournal()
    for _ in 0..<2000 { _ = journal.add(entry(200, body: 100_000)) }
    #expect(journal.count == 2000)
    let kept = journal.entries(LiveFilter())
    #expect(kept.count == LiveJournal.limit && kept.first?.number == 1501 && kept.last?.number == 2000)
    #expect(kept.allSatisfy { ($0.request?.body.bytes.count ?? 0) == LiveJournal.bodyLimit })
  }

  @Test(
    arguments: [
      ("", [1, 2, 3, 4]), ("after=2", [3, 4]), ("limit=1", [4]), ("status=404", [2]), ("status=4xx", [2, 3]),
      ("violations=true", [3]), ("exchange=health", [1, 2, 4]), ("exchange=install", []), ("status=2xx&after=1", [4]),
      ("violations=false", [1, 2, 3, 4]),
    ])
  func aFilterGivesTheNewestThatFit(query: String, numbers: [Int]) throws {
    let journal = LiveJournal()
    for one in [entry(200), entry(404), entry(400, isBad: true), entry(204)] { _ = journal.add(one) }
    let filter = try LiveFilter(PercentEncoding.queryItems(query), exchanges: ["health", "install"])
    #expect(journal.entries(filter).map(\.number) == numbers)
  }

  /// Texts of an app cannot end the line of the log, or colour it.
  @Test func textsOfTheAppAreVisible() {
    let hostile = entry(200, "/a\u{1B}[31mred\nGET /b")
    let lines = ServeLog(.init(isOn: true), showsBodies: true).lines(of: hostile)
    #expect(lines.filter { $0 == "\n" }.count == 1)
    #expect(!lines.contains("\u{1B}[31mred"))
  }
}
