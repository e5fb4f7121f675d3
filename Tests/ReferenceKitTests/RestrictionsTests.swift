import AdapterHost
import ConformanceModel
import ConformanceTranscript
import JSONKit
import Testing

@testable import ReferenceKit

/// A reference SDK can leave out optional parts, as an SDK of another author may.
@Suite struct RestrictionsTests {
  private static func command(
    _ name: String, _ capabilities: [String] = [], registers: Bool = false
  ) -> ProtocolDefinition.Command {
    .init(
      name: name, roles: ["sdk"], text: "", capabilities: capabilities,
      params: ["required": registers ? ["handle"] : []], result: true, callback: registers ? true : nil)
  }

  private static let definition = ProtocolDefinition(
    name: "lamp", title: "Lamp", document: "Lamp", revision: "1", services: [],
    roles: [.init(role: "sdk", ports: Ports(hasDriver: true))], dialects: ["one"],
    commands: [
      command("start", registers: true), command("listen", registers: true), command("dim", ["dimming"]),
      command("stop", ["stopping"]),
    ],
    moments: .init(setUp: ["start"], reset: ["stop"]), errorKinds: ["notStarted", "other"])

  /// Carries out every command, except one with bad parameters.
  private final class Lamp: HostedApp {
    var performed: [String] = []

    func perform(_ command: String, _ params: JSON, reply: @escaping (Result<JSON, CommandError>) -> Void) {
      performed.append(command)
      reply(params == "bad" ? .failure(CommandError(kind: "other")) : .success(.null))
    }

    func surround(_ facts: JSON.Object) throws {}
    func quit() {}
  }

  /// The kinds of the errors with which these commands end; `nil` for those that succeed.
  private static func kinds(_ variants: Set<DefectID>, _ commands: [(String, JSON)]) throws -> [String?] {
    let app = RestrictedApp(Lamp(), try #require(Restrictions(variants, in: definition)))
    var kinds: [String?] = []
    for (command, params) in commands {
      app.perform(command, params) { outcome in
        if case .failure(let error) = outcome { kinds.append(error.kind) } else { kinds.append(nil) }
      }
    }
    return kinds
  }

  @Test func commandsOfAMissingCapabilityAreUnsupported() throws {
    let kinds = try Self.kinds(["lacks:dimming"], [("dim", .null), ("listen", .null), ("stop", .null)])
    #expect(kinds == ["unsupported", nil, nil])
  }

  @Test func callbacksFailUntilASetUpHasSucceeded() throws {
    let kinds = try Self.kinds(
      ["early-refused"],
      [
        ("dim", .null), ("listen", .null), ("start", "bad"), ("listen", .null), ("start", .null), ("listen", .null),
        ("stop", .null), ("listen", .null),
      ])
    #expect(kinds == [nil, "notStarted", "other", "notStarted", nil, nil, nil, "notStarted"])
  }

  @Test func onlyReservedVariantsRestrict() throws {
    #expect(Restrictions(["dim.never"], in: Self.definition) == nil)
    let both = try #require(Restrictions(["lacks:dimming", "early-refused", "dim.never"], in: Self.definition))
    #expect(both.lacks == ["dimming"])
    #expect(try Restrictions(JSONField(both.representation)) == both)
  }

  @Test func anAdapterReadsWhatTheKitWrites() throws {
    let restrictions = try #require(Restrictions(["lacks:dimming"], in: Self.definition))
    let options = try ReferenceOptions<NoSwitch>(["--restrictions", restrictions.representation.compactText])
    #expect(options.restrictions == restrictions)
    let problem = #expect(throws: ReferenceOptions<NoSwitch>.Problem.self) {
      _ = try ReferenceOptions<NoSwitch>(["--restrictions", "{}"])
    }
    #expect(problem?.text.hasPrefix("--restrictions: ") == true)
  }

  private enum NoSwitch: String, SwitchList {
    case none

    var isVariant: Bool { true }
  }
}
