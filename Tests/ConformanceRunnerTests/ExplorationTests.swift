import Concurrency
import ConformanceJudge
import ConformanceModel
import ConformancePack
import ConformanceSpec
import ConformanceVerdict
import FoundationEssentials
import JSONKit
import Testing

@testable import ConformanceRunner

/// Exploration of a platform with mistakes that show only after several operations, so that single cases miss them.
@Suite struct ExplorationTests {
  /// A mistake in `server.yaml`.
  struct Mistake: Sendable, CustomTestStringConvertible {
    var name: String
    /// A line of the file, and its replacement.
    var line: String
    var wrong: String
    /// The requirements whose claims are violated, among others.
    var breaks: [RequirementID]

    var testDescription: String { name }
  }

  static let mistakes = [
    Mistake(
      name: "a tablet that is not active cannot be linked again",
      line: "  - { to: link, while: { state.externalOf: { $not: \"${externalId}\" } }, give: other-user }",
      wrong: """
          - { to: link, while: { state.status: passive, state.holder: "${:any}" }, give: deactivated }
          - { to: link, while: { state.externalOf: { $not: "${externalId}" } }, give: other-user }
        """, breaks: ["SE-LINK-003"]),
    Mistake(
      name: "a tablet that is not active can be linked to somebody else",
      line: "  - { to: link, while: { state.externalOf: { $not: \"${externalId}\" } }, give: other-user }",
      wrong: """
          - to: link
            while: { state.status: { $not: passive }, state.externalOf: { $not: "${externalId}" } }
            give: other-user
        """, breaks: ["SE-LINK-011"]),
    Mistake(
      name: "an anonymous phone loses its place when it is linked",
      line:
        "    keep: { userNamed: \"${state.userOf}\", nameOf: \"${externalId}\", externalOf: \"${externalId}\", status: active }\n"
        + "  - { to: link, while: { state.status: active, state.userOf",
      wrong:
        "    keep: { userNamed: \"${state.userOf}\", nameOf: \"${externalId}\", externalOf: \"${externalId}\", status: active }\n"
        + "    also: [ { forget: [ holder, holderForm ] } ]\n"
        + "  - { to: link, while: { state.status: active, state.userOf", breaks: ["SE-DEV-008"]),
  ]

  private static let explored = "server.explored.devices"

  /// The files of Sentiance, with a mistake in `server.yaml`.
  private static func catalogue(_ mistake: Mistake? = nil) async throws -> Catalogue {
    var texts: [String: String] = [:]
    for tree in ["spec/sentiance", "Fixtures/sentiance"] {
      let root = "\(BeaconStation.repository)/\(tree)"
      for path in try FileManager.default.subpathsOfDirectory(atPath: root) where path.contains(".") {
        texts["\(tree)/\(path)"] = try String(contentsOf: URL(filePath: "\(root)/\(path)"), encoding: .utf8)
      }
    }
    if let mistake {
      let sound = try #require(texts["spec/sentiance/server.yaml"])
      try #require(sound.contains(mistake.line), "the line is not there any more")
      texts["spec/sentiance/server.yaml"] = sound.replacing(mistake.line, with: mistake.wrong)
    }
    let loader = CatalogueLoader(CatalogueFolder(texts: texts), schemas: try BeaconStation.schemas.get())
    return try await loader.sources(of: "sentiance").catalogue
  }

  /// The results of server cases against a platform with a mistake, compared with the sound one.
  private static func results(_ mistake: Mistake?, cases: [String]) async throws -> [CaseResult] {
    let sound = try await catalogue()
    let pack = try #require(ProtocolPack(dataOf: sound))
    let other = try #require(ProtocolPack(dataOf: try await catalogue(mistake)))
    let called = try await Testbed.embedded(
      "platform", role: "server", dialects: sound.definition.dialects, catalogue: sound, pack: pack, kit: "test",
      makeServer: { .model(other.makeServer($0, 1, [])) })
    let testbed = try await Testbed.open(
      "server", driven: nil, called: called, catalogue: sound, pack: pack,
      // On a busy machine all drawn operations may take long.
      conditions: .init(kit: "test", timeLimit: .seconds(600)))
    let plan = try Plan(catalogue: sound, selection: Selection(roles: ["server"], cases: cases))
    let audience = Results()
    _ = try await testbed.runner(for: plan, by: Settlement(gate: .strict), jobs: 8).run(for: audience)
    await testbed.close()
    return audience.all
  }

  private final class Results: Runner.Audience {
    private let results = LockedValue<[CaseResult]>([])

    var all: [CaseResult] {
      var all: [CaseResult] = []
      results.change { all = $0 }
      return all
    }

    func result(_ result: CaseResult) throws { results.change { $0.append(result) } }
  }

  @Test func thePlatformAgreesWithItself() async throws {
    let results = try await Self.results(nil, cases: [Self.explored])
    let verdicts = results.flatMap(\.settled).map(\.verdict)
    #expect(!verdicts.isEmpty && verdicts.allSatisfy { $0.outcome == .conforms }, "\(verdicts)")
  }

  @Test(arguments: mistakes)
  func findsWhatNoSingleCaseFinds(_ mistake: Mistake) async throws {
    let names = try await Self.catalogue().cases.filter { $0.role == "server" }.map(\.id.rawValue)
    let others = try await Self.results(mistake, cases: names.filter { $0 != Self.explored })
    #expect(try await Self.broken(by: others) == [])
    // Consequences of the mistake may be violated, too.
    let found = try await Self.broken(by: Self.results(mistake, cases: [Self.explored]))
    #expect(found.isSuperset(of: mistake.breaks), "\(found)")
  }

  /// The requirements that transcripts show to be violated, however busy the machine was.
  private static func broken(by results: [CaseResult]) async throws -> Set<RequirementID> {
    let sound = try await catalogue()
    let judge = Judge(catalogue: sound, checks: try #require(ProtocolPack(dataOf: sound)).checks)
    let verdicts = try results.flatMap { try judge.verdicts(for: $0.transcript) }
    return Set(verdicts.filter { if case .violates = $0.outcome { true } else { false } }.map(\.requirement))
  }

  @Test(arguments: mistakes)
  func shortensWhatItFinds(_ mistake: Mistake) async throws {
    let shortest = try await Self.shortest(mistake)
    #expect(!shortest.isEmpty && shortest.allSatisfy { $0.count <= 6 }, "\(shortest)")
    // The same seed gives the same result.
    #expect(try await Self.shortest(mistake) == shortest)
  }

  /// The shortest sequences in the transcript.
  private static func shortest(_ mistake: Mistake) async throws -> [[String]] {
    let result = try #require(try await results(mistake, cases: [explored]).first)
    for entry in result.transcript.entries {
      guard case .bound(label: "explored", let value) = entry.event else { continue }
      return (value["disagreements"]?.array ?? []).map { finding in
        (finding["shortest"]?.array ?? []).compactMap(\.string)
      }
    }
    return []
  }
}
