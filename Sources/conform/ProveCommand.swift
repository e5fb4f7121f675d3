import ArgumentParser
import ConformanceBench
import ConformanceJudge
import ConformanceModel
import ConformanceRunner
import FoundationEssentials

/// `conform prove`: shows that the kit itself works.
struct ProveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prove",
    abstract: "Proves the kit: kill rate, vacuity and false alarms.",
    discussion: """
      Every defect of the references must be noticed by the claim that names it, subjects that do nothing must pass
      nothing that is required, and legal variants of the references must fail nothing.

      Examples:
        conform prove
        conform prove --every-dialect
        conform prove --defect queue.holds-99
        conform prove --only mutants
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions

  @Option(name: .customLong("defect"), help: ArgumentHelp("Try only this defect; may be repeated.", valueName: "id"))
  var defects: [String] = []

  @Option(help: ArgumentHelp("Prove only this part; may be repeated.", valueName: "part"))
  var only: [Proof.Part] = []

  @Flag(help: "Try each defect, idle subject and variant in every dialect, not in one each.")
  var everyDialect = false

  @Option(help: ArgumentHelp("The seed of everything random.", valueName: "number"))
  var seed: UInt64 = 1

  @Flag(help: "Print only what is wrong, and the figures.")
  var quiet = false

  func run() async throws {
    let catalogue = try await catalogueOptions.catalogue()
    let pack = try catalogueOptions.pack()
    let conditions = Testbed.Conditions(kit: Kit.name, seed: seed, timeLimit: .seconds(30))
    let subjects = Subjects(catalogue: catalogue, pack: pack, conditions: conditions)
    let material = try ProofMaterial(subjects: subjects).material(
      of: only.isEmpty ? Set(Proof.Part.allCases) : Set(only), onlyDefects: defects.map { DefectID($0) })
    let proof = Proof(
      catalogue: catalogue, material: material, cores: ProcessInfo.processInfo.activeProcessorCount,
      everyDialect: everyDialect)
    let showsProgress = Terminal.outputIsTerminal && !quiet
    let report = LockedValue<ProofReport?>(nil)
    let wasInterrupted = try await Interruption.watch(telling: "stopping; the proof is given up") {
      let found = try await proof.run { done, total, name in
        if showsProgress { Terminal.output("\r\u{1B}[K\(done) of \(total)  \(name)") }
      }
      report.change { $0 = found }
    }
    if showsProgress { Terminal.output("\r\u{1B}[K") }
    guard let found = report.value, !wasInterrupted else { throw Finished(code: .unjudged) }
    Terminal.output(ProofText(report: found, quiet: quiet).text)
    throw Finished(code: found.holds ? .conformant : .violations)
  }
}

/// The subjects that a proof is made with.
struct ProofMaterial {
  let subjects: Subjects

  /// The material of the parts that are wanted; defects that are named are tried alone.
  func material(of parts: Set<Proof.Part>, onlyDefects wanted: [DefectID]) throws -> Proof.Material {
    let known = subjects.catalogue.defects
    for id in wanted where !known.contains(where: { $0.id == id }) {
      throw BadInput.unknown("defect", id.rawValue, known.map(\.id.rawValue), list: "defects")
    }
    let parts = wanted.isEmpty ? parts : [.defects]
    let tried = known.filter { wanted.isEmpty ? parts.contains(.defects) : wanted.contains($0.id) }
    return .init(
      judge: parts.contains(.mutants) ? Judge(catalogue: subjects.catalogue, checks: subjects.pack.checks) : nil,
      references: wanted.isEmpty
        ? subjects.embeddedRoles.map { substitute("reference \($0)", $0, []) } : [],
      defective: tried.map { ($0, substitute($0.id.rawValue, $0.side, [$0.id])) },
      idle: parts.contains(.idle) ? idle : [],
      variants: parts.contains(.variants)
        ? subjects.catalogue.variants.map { substitute($0.id.rawValue, $0.side, [$0.id]) } : [])
  }

  private func substitute(_ name: String, _ role: Role, _ switches: Set<DefectID>) -> Proof.Substitute {
    let subjects = self.subjects
    return Proof.Substitute(name: name, role: role) {
      try await subjects.reference(role, switches)
    }
  }

  private var idle: [Proof.Substitute] {
    let subjects = self.subjects
    let definition = subjects.catalogue.definition
    let driven = definition.embeddedRoles.filter { definition.ports(of: $0).hasDriver }
    let called = definition.embeddedRoles.filter { !definition.ports(of: $0).hasDriver }
    let postures = driven.flatMap { role in
      ["null", "lying"].map { posture in
        Proof.Substitute(name: "\(posture) \(role)", role: role) {
          try await subjects.reference(role, [], ["--posture", posture])
        }
      }
    }
    let empty = HTTPResponse.json(200, .object([:]))
    let servers: [(String, EmbeddedServer.Behaviour)] = [
      ("null server", .constant(HTTPResponse(status: 404))), ("constant server", .constant(empty)),
      ("echo server", .echo), ("hang-up server", .hangUp),
    ]
    return postures
      + called.flatMap { role in
        servers.map { name, behaviour in
          Proof.Substitute(name: name, role: role) { try await subjects.embedded(name, role) { _ in behaviour } }
        }
      }
  }
}

extension Proof.Part: ExpressibleByArgument {}
