import ConformanceModel
import ConformanceSpec
import ConformanceVerdict
import JSONKit
import ServerRules
import Templates
import Testing

@testable import Coverage
@testable import Lint

/// A protocol that is data alone, in four roles. It shows what the kit can do with any protocol.
struct BeaconTests {
  @Test func standsWithoutAComplaint() async throws {
    let station = try await BeaconStation()
    #expect(Linter(station.sources, checks: BeaconStation.checks).diagnostics() == [])
    #expect(station.strayFiles == [])
  }

  /// Each word of the language must be used by at least three cases.
  @Test(arguments: [
    Vocabulary(name: "steps", words: Step.Action.words) { $0.steps },
    Vocabulary(name: "assertions", words: Claim.Assertion.words) { $0.assertions },
    Vocabulary(name: "selectors", words: Selector.Subject.words) { $0.selectors },
    Vocabulary(name: "faults", words: Fault.Kind.words) { $0.faults },
    Vocabulary(name: "operators", words: Template.operatorWords) { $0.operators },
  ])
  func usesEachWordInThreeCases(_ vocabulary: Vocabulary) async throws {
    let cases = try await BeaconStation().sources.cases
    let used = cases.map { located in
      vocabulary.used(CaseWords(located.value, text: located.document.value[located.path] ?? .null))
    }
    for word in vocabulary.words {
      let count = used.count { $0.contains(word) }
      #expect(count >= 3, "\(word) is in \(count) cases")
    }
  }

  /// The author of a binding file learns which values cases read in answers that only the file describes.
  @Test func explainsWhatIsReadInABoundAnswer() async throws {
    let explanation = try await Explanation(of: "app-pass", in: BeaconStation().sources)
    #expect(explanation.entries.first { $0.label == "answers" }?.text.hasPrefix("cases read pass: ") == true)
  }

  /// The server of the mock recognises the request that each exchange renders.
  @Test(arguments: ["one", "two"] as [Dialect])
  func answersItsOwnRequests(in dialect: Dialect) async throws {
    let station = try await BeaconStation()
    let (catalogue, pack) = (station.catalogue, try station.pack)
    let table = ExchangeTable(catalogue.exchanges, dialect: dialect)
    var server = pack.makeServer(dialect, 1, [])
    #expect(server.perform("grantPass", params: ["pass": "p"], now: 0) == .result(.null))
    for exchange in catalogue.exchanges where !exchange.isBound {
      let request = try #require(exchange.request(in: dialect))
      let bindings = try #require(exchange.bindings(nil)).merging([
        "pass": "p", "key": pack.serverProvision.values["apiKey"] ?? "",
      ])
      let rendered = try request.render(bindings, models: catalogue.models)
      let found = table.exchange(
        method: rendered.method, path: rendered.path, query: rendered.queryItems, at: exchange.service)
      #expect(found?.name == exchange.name)
      #expect((200..<300).contains(server.respond(to: rendered, at: exchange.service, now: 0).status))
    }
  }

  @Test(arguments: ["sdk", "server", "backend", "chain"] as [Role])
  func conforms(in role: Role) async throws {
    let verdicts = try await BeaconStation().verdicts(of: role)
    #expect(!verdicts.isEmpty)
    #expect(verdicts.filter { $0.outcome != .conforms }.map(\.complaint) == [])
  }

  /// The server as data fulfils every requirement for servers.
  @Test func conformsAsAServerThatIsData() async throws {
    let verdicts = try await BeaconStation().verdictsOfServerAsData()
    let rules = try await BeaconStation().catalogue.requirements.filter { $0.role == "server" }.map(\.id)
    #expect(Set(verdicts.map(\.requirement)) == Set(rules))
    #expect(verdicts.filter { $0.outcome != .conforms }.map(\.complaint) == [])
  }

  /// Each defect breaks one requirement: the named case detects it, and no other requirement is blamed.
  @Test(arguments: ["sdk", "server", "backend"] as [Role])
  func blamesEachDefectForItsOwnRule(in role: Role) async throws {
    let station = try await BeaconStation()
    let defects = station.catalogue.defects.filter { $0.side == role }
    #expect(!defects.isEmpty)
    for defect in defects {
      // The requirements that a defect breaks are the same in both dialects; sound subjects are tested in both.
      let verdicts = try await station.verdicts(of: role, in: ["one"], defect: defect.id)
      let red = verdicts.filter(\.isViolation)
      #expect(red.map(\.requirement).unique == defect.breaks, "\(defect.id): \(red.map(\.complaint))")
      #expect(red.contains { $0.instance.name == defect.caseName }, "\(defect.id): \(red.map(\.complaint))")
    }
  }
}

/// A part of the case language.
struct Vocabulary: Sendable, CustomTestStringConvertible {
  var name: String
  var words: [String]
  var used: @Sendable (CaseWords) -> Set<String>

  var testDescription: String { name }
}

extension Verdict {
  fileprivate var isViolation: Bool { if case .violates = outcome { true } else { false } }
  fileprivate var complaint: String { "\(instance) \(requirement): \(outcome)" }
}

extension [RequirementID] {
  fileprivate var unique: [RequirementID] { Set(self).sorted() }
}
