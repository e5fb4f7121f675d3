import ConformanceModel
import ConformanceProvisioning
import JSONKit
import Templates
import Testing

@testable import ConformanceRunner

/// Subjects at the ports of a role.
@Suite struct TestbedTests {
  /// The requested clock, and the clock of the case.
  @Test(arguments: [(nil, .virtual), (.virtual, .virtual), (.real, .real)] as [(ClockMode?, ClockMode)])
  func theCheapestClockIsTakenUnlessOneIsAskedFor(wanted: ClockMode?, taken: ClockMode) async throws {
    let testbed = try await BeaconStation().testbed(for: "sdk", clock: wanted)
    #expect(testbed.clock == taken)
    #expect(testbed.jobs(cores: 2) == (taken == .virtual ? 8 : 64))
    #expect(testbed.subjects["sdk"]?.name == "beacon-python")
    await testbed.close()
  }

  @Test func aClockThatIsNotOfferedIsToldWithThoseThatAre() async throws {
    let station = try await BeaconStation()
    let problem = await #expect(throws: ClockUnavailable.self) { try await station.testbed(for: "sdk", clock: .scaled) }
    #expect(
      problem?.description
        == "the adapter offers no scaled clock, only: virtual, real; choose one of these with --clock, or none")
  }

  /// A called subject has only the real clock, and a slot serves one case.
  @Test(arguments: [("backend", 4), ("chain", 4)] as [(Role, Int)])
  func whoIsCalledLivesInRealTime(role: Role, jobs: Int) async throws {
    let testbed = try await BeaconStation().testbed(for: role)
    #expect(testbed.clock == .real)
    #expect(testbed.jobs(cores: 2) == jobs)
    await testbed.close()
  }

  @Test(
    arguments: [
      ("sdk", "the role 'sdk' needs an adapter: give its command with --sdk"),
      ("server", "the role 'server' needs a subject to call: give it with --server, --backend or a binding file"),
      ("chain", "the role 'chain' needs an adapter: give its command with --sdk"),
    ] as [(Role, String)])
  func aPartThatNobodyPlaysIsNamed(role: Role, says: String) async throws {
    let station = try await BeaconStation()
    let (catalogue, pack) = (station.catalogue, try station.pack)
    let problem = await #expect(throws: MissingSubject.self) {
      try await Testbed.open(
        role, driven: nil, called: nil, catalogue: catalogue, pack: pack, conditions: .init(kit: "k"))
    }
    #expect(problem?.description == says)
  }

  /// Each command of a hook that is a program is a process of its own.
  @Test(arguments: [([], 16), (["grantPass"], 4)] as [([String], Int)])
  func aLentServerIsAskedForNoMoreThanItsHooksBear(programs: [String], jobs: Int) async throws {
    let station = try await BeaconStation()
    let (catalogue, pack) = (station.catalogue, try station.pack)
    var provisioning = Provisioning()
    for name in programs {
      provisioning.hooks[name] = .init(.program([Template(.literal("/bin/true"))]), timeLimit: .seconds(1))
    }
    let called = try await Testbed.Called.lent(
      "server", by: provisioning, urls: ["lamp": "http://127.0.0.1:1/lamp", "log": "http://127.0.0.1:1/log"],
      folder: ".", catalogue: catalogue, dialects: catalogue.definition.dialects)
    let testbed = try await Testbed.open(
      "server", driven: nil, called: called, catalogue: catalogue, pack: pack, conditions: .init(kit: "k"))
    #expect(testbed.jobs(cores: 2) == jobs)
    await testbed.close()
  }

  /// The capabilities of the reference server follow from its provisions.
  @Test func theReferenceServerCanDoWhatItLends() async throws {
    let station = try await BeaconStation()
    let (catalogue, pack) = (station.catalogue, try station.pack)
    let called = try await Testbed.embedded(
      "reference server", role: "server", dialects: catalogue.definition.dialects, catalogue: catalogue,
      pack: pack, kit: "k", makeServer: { .model(pack.makeServer($0, 1, [])) })
    #expect(called.subject.capabilities == ["api-key", "operations"])
    let testbed = try await Testbed.open(
      "server", driven: nil, called: called, catalogue: catalogue, pack: pack,
      conditions: .init(kit: "k"))
    // One server serves any number of cases.
    #expect(testbed.jobs(cores: 2) == 512)
    await testbed.close()
  }
}
