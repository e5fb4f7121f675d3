import ConformanceModel
import JSONKit
import Testing

@testable import ConformanceSpec
@testable import Coverage

/// The forms in which cases try refusals and secrets, for a protocol of an SDK and a server with one exchange.
@Suite struct NegativeCoverageTests {
  private func coverage(
    _ steps: [String], requirement: String = "AA-001", claim: String = "returns: { refused: { status: 401 } }",
    role: String = "server", reasons: String = ""
  ) async throws -> NegativeCoverage {
    let small = SmallProtocol(
      definition: Self.definition, exchange: ("link", Self.link), requirements: Self.requirements)
    return NegativeCoverage(
      try await small.sources(
        steps, role: role, claim: "requirement: \(requirement), \(claim)", reasons: Self.negatives + reasons))
  }

  private func tried(_ coverage: NegativeCoverage) -> Set<String> {
    Set(coverage.grids.flatMap(\.grid.cells).filter { $0.cell.count > 0 }.map(\.name))
  }

  @Test(
    arguments: [
      ("headers: { Authorization: null }", ["none"]), ("headers: { Authorization: Bearer }", ["none"]),
      ("headers: { Authorization: \"Basic ${apiKey}\" }", ["scheme"]),
      ("headers: { Authorization: \"${apiKey}\" }", ["bare"]),
      ("headers: { Authorization: \"Bearer ${apiKey}x\" }", ["wrong"]), ("with: { key: made-up }", ["wrong"]),
      ("with: { key: \"${otherKey}\" }", ["other"]), ("with: { key: \"${apiKey}\" }", []),
      ("headers: { Authorization: null }, path: \"/links/a?key=${apiKey}\"", ["none", "query"]),
    ] as [(String, [String])])
  func findsFormsOfCredentials(send: String, forms: [String]) async throws {
    let coverage = try await coverage(["send: link, \(send), as: refused"])
    #expect(tried(coverage) == Set(forms.map { "AA-001 \($0)" }))
  }

  @Test(
    arguments: [
      ("with: { id: \"${made.body.id}\" }", []), ("with: { id: \"${made.body.id.$capitals}\" }", ["letters"]),
      ("with: { id: \"${made.body.id.$escaped}\" }", ["twice"]), ("path: \"/links/${made.body.id}/\"", ["slash"]),
      ("path: \"/links/${made.body.id.$escaped}\"", []), ("path: \"/links/%2541\"", []),
    ] as [(String, [String])])
  func findsFormsOfIdentifiers(send: String, forms: [String]) async throws {
    let coverage = try await coverage(
      ["send: link, as: made", "send: link, \(send), as: refused"], requirement: "AA-002")
    #expect(tried(coverage) == Set(forms.map { "AA-002 \($0)" }))
  }

  @Test func findsRequestsBeforeAndAfterAnExpiry() async throws {
    let send = "send: link, with: { key: \"${apiKey}\" }"
    let expire = "call: expire, with: { key: \"${apiKey}\" }"
    let after = try await coverage([expire, "\(send), as: refused"], requirement: "AA-003")
    #expect(tried(after) == ["AA-003 expired"])
    let both = try await coverage(["\(send), as: before", expire, "\(send), as: refused"], requirement: "AA-003")
    #expect(tried(both) == ["AA-003 expired", "AA-003 before"])
  }

  @Test func findsASecretThatIsValidAndASearchOfTheStorage() async throws {
    let steps = ["call: start, with: { key: key-4711 }", "search: storage, for: [key-4711], as: left"]
    func claim(_ text: String) -> String { "check: { name: text-nowhere, with: { text: \(text), in: [requests] } }" }
    let valid = try await coverage(steps, requirement: "AA-004", claim: claim("key-4711"), role: "sdk")
    #expect(tried(valid) == ["AA-004 echo"])
    let invented = try await coverage(steps, requirement: "AA-004", claim: claim("key-0815"), role: "sdk")
    #expect(tried(invented) == [])
    let stored = try await coverage(
      steps, requirement: "AA-004", claim: "returns: { left: { found: [] } }", role: "sdk")
    #expect(tried(stored) == ["AA-004 storage"])
  }

  @Test func findsTracesOfARefusal() async throws {
    let steps = ["send: link, with: { userId: a }, as: made", "send: link, with: { userId: b }, as: after"]
    let one = try await coverage(
      Array(steps.prefix(1)), requirement: "AA-005", claim: "returns: { made: { status: 401 } }")
    #expect(tried(one) == [])
    let all = try await coverage(
      steps, requirement: "AA-005", claim: "returns: { after: { body: { id: \"${made.body.id}\" } } }")
    #expect(tried(all) == ["AA-005 user", "AA-005 id", "AA-005 second"])
    let elsewhere = try await coverage(
      ["operate: elsewhere"] + steps.prefix(1), requirement: "AA-005", claim: "returns: { made: { status: 401 } }")
    #expect(tried(elsewhere) == ["AA-005 user", "AA-005 second"])
  }

  @Test func formsWithoutACaseAreOpenUntilThereIsAReason() async throws {
    let coverage = try await coverage(
      ["send: link, as: refused"], reasons: "negatives: [ { cell: AA-001 query, reason: The document is silent. } ]\n")
    #expect(coverage.openCells.contains("AA-001 query"))
    let cells = coverage.grids.flatMap(\.grid.cells)
    #expect(cells.first { $0.name == "AA-001 query" }?.cell.reason == "The document is silent.")
    #expect(cells.first { $0.name == "AA-001 bare" }?.cell.isEmpty == true)
  }

  @Test func onlyListedRequirementsHaveARow() async throws {
    let rows = try await coverage(["send: link, as: refused"]).grids.map { ($0.kind, $0.grid.rows.map(\.name)) }
    #expect(rows.map(\.0) == [.credential, .expiry, .identifier, .secret, .trace])
    #expect(rows.map(\.1) == [["AA-001"], ["AA-003"], ["AA-002"], ["AA-004"], ["AA-005"]])
  }

  private static let negatives = """
    negativeRequirements:
      credential: [AA-001]
      expiry: [AA-003]
      identifier: [AA-002]
      secret: [AA-004]
      trace: [AA-005]
    negativeForms: { expired: [expire], other: [otherKey], second: [elsewhere] }

    """

  private static let definition = """
    kit: 2
    protocol: small
    title: Small
    document: Small
    revision: "1"
    services: [ { name: api, text: A. } ]
    roles: { sdk: { driver: true, upstream: [api] }, server: { downstream: [api] } }
    dialects: [spec]
    capabilities: [ { name: keys, role: server, required: false, text: A. } ]
    values:
      - { name: apiKey, capability: keys, text: A key. }
      - { name: otherKey, capability: keys, text: A key of another app. }
    secrets: [apiKey, otherKey]
    commands:
      - command: start
        text: A.
        role: sdk
        params: { type: object, properties: { key: { type: string } } }
        result: { type: "null" }
      - command: expire
        text: Lets a key expire.
        role: server
        capability: keys
        params: { type: object, properties: { key: { type: string } } }
        result: { type: "null" }
      - command: elsewhere
        text: Makes another device create the user.
        role: server
        params: { type: object }
        result: { type: "null" }

    """

  private static let requirements = """
    kit: 2
    requirements:
      - { id: AA-001, role: server, level: MUST, basis: stated, source: { section: "1", revision: "1" }, text: A server MUST refuse a link without a key. }
      - { id: AA-002, role: server, level: MUST, basis: stated, source: { section: "1", revision: "1" }, text: A server MUST refuse a link whose id does not exist. }
      - { id: AA-003, role: server, level: MUST, basis: stated, source: { section: "1", revision: "1" }, text: A server MUST refuse an expired key. }
      - { id: AA-004, role: sdk, level: MUST NOT, basis: stated, source: { section: "1", revision: "1" }, text: An SDK MUST NOT put the key into a URL. }
      - { id: AA-005, role: server, level: MUST, basis: stated, source: { section: "1", revision: "1" }, text: A refused link MUST change nothing. }
      - { id: AA-006, role: server, level: MUST, basis: stated, source: { section: "1", revision: "1" }, text: A server MUST answer. }

    """

  private static let link = """
    {
      "kit": 2, "exchange": "link", "text": "A link.", "at": "api",
      "request": {
        "method": "POST", "path": "/links/${id:text}", "headers": { "Authorization": "Bearer ${key:text}" },
        "body": { "userId?": "${userId:text}" }
      },
      "responses": { "default": { "any": { "status": 200, "body": { "id": "${:text}" } } } }
    }
    """
}
