import ArgumentParser
import ConformanceBench
import ConformanceJudge
import ConformanceModel
import ConformanceReport
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
        conform prove --only blame --sample 20       every case against 20 of the defects
        conform prove --sdk 'node my_adapter.mjs' --defects my_defects.yaml
        conform prove --server-file provisioning.yaml        an honest server, made wrong by the bends of the protocol

      A subject that is given is proven with what a file lists, or without one with those defects of the protocol that
      are bends: the kit itself changes what the subject sends. For any other defect an SDK is started with
      CONFORM_DEFECT or CONFORM_VARIANT set to the id. Every case runs against each.
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions

  @Option(name: .customLong("defect"), help: ArgumentHelp("Try only this defect; may be repeated.", valueName: "id"))
  var defects: [String] = []

  @Option(help: ArgumentHelp("An honest SDK to prove the suite with, instead of the references.", valueName: "command"))
  var sdk: String?

  @Option(
    help: ArgumentHelp(
      "An honest server to prove the suite with: the provisioning file that lends it.", valueName: "file"))
  var serverFile: String?

  @Option(
    name: .customLong("defects"),
    help: ArgumentHelp(
      "The file of the bends, and of the defects and variants that the SDK can switch on.", valueName: "file"))
  var defectsFile: String?

  @Option(help: ArgumentHelp("Try only so many of the defects, picked with the seed.", valueName: "number"))
  var sample: Int?

  @Option(help: ArgumentHelp("Prove only this part; may be repeated.", valueName: "part"))
  var only: [Proof.Part] = []

  @Flag(help: "Try each defect, idle subject and variant in every dialect, not in one each.")
  var everyDialect = false

  @Option(help: ArgumentHelp("The seed of everything random.", valueName: "number"))
  var seed: UInt64 = 1

  @Flag(help: "Print only what is wrong, and the figures.")
  var quiet = false

  func validate() throws {
    if sdk != nil, serverFile != nil {
      throw ValidationError("give either --sdk or --server-file, not both: a proof is about one subject")
    }
    if defectsFile != nil, sdk == nil, serverFile == nil {
      throw ValidationError("--defects is about a subject that is given: name it with --sdk or --server-file")
    }
    if let sample, sample < 1 { throw ValidationError("--sample wants a number of at least 1, found \(sample)") }
  }

  func run() async throws {
    try OpenFiles.makeRoom()
    let catalogue = try await catalogueOptions.catalogue()
    let pack = Packs.pack(of: catalogue)
    let conditions = Testbed.Conditions(kit: Kit.name, seed: seed, timeLimit: .seconds(30))
    let subjects = Subjects(catalogue: catalogue, pack: pack, conditions: conditions)
    let parts = only.isEmpty ? Set(Proof.Part.allCases).subtracting([.blame]) : Set(only)
    let material = try await material(subjects, parts)
    let proof = Proof(
      catalogue: catalogue, material: material, cores: ProcessInfo.processInfo.activeProcessorCount,
      everyDialect: everyDialect, laysBlame: parts.contains(.blame),
      cards: { FailureGroup.leads(of: $0, in: catalogue) })
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

  private func material(_ subjects: Subjects, _ parts: Set<Proof.Part>) async throws -> Proof.Material {
    let wanted = defects.map { DefectID($0) }
    guard sdk != nil || !subjects.embeddedRoles.isEmpty else {
      throw BadInput(
        "the kit carries no reference for \(subjects.pack.name) to prove the suite with: give an honest SDK with --sdk, "
          + "and the defects that it can switch on with --defects")
    }
    var material =
      if let sdk {
        try ProofMaterial(subjects: subjects).material(
          of: parts, AdapterCommand(shellLike: sdk), with: try await switches(subjects.catalogue), onlyDefects: wanted)
      } else if let serverFile {
        try ProofMaterial(subjects: subjects).material(
          of: parts, try server(serverFile, subjects), with: try await switches(subjects.catalogue),
          onlyDefects: wanted)
      } else {
        try ProofMaterial(subjects: subjects).material(of: parts, onlyDefects: wanted)
      }
    if let sample {
      var random = SeededRandom(seed: seed)
      material.defective = Array(material.defective.shuffled(using: &random).prefix(sample))
    }
    return material
  }

  /// What a subject that is given is proven with.
  private func switches(_ catalogue: Catalogue) async throws -> (defects: [Defect], variants: [Variant]) {
    if let defectsFile { return try await catalogueOptions.defects(defectsFile) }
    let bends = catalogue.defects.filter { $0.bend != nil }
    guard !bends.isEmpty else {
      throw BadInput(
        "no defect of \(catalogue.definition.name) is a bend, so nothing can be tried: list some in a file, and give it "
          + "with --defects")
    }
    return (bends, [])
  }

  private func server(_ file: String, _ subjects: Subjects) throws -> CalledSubject {
    var options = SubjectOptions()
    options.serverFile = file
    let role = try options.roles(nil, in: subjects.catalogue.definition, subjects.pack).first
    guard
      let subject = try CalledSubject(options, as: role, schemas: catalogueOptions.schemaFolder, subjects.catalogue)
    else {
      throw BadInput("'\(file)' lends no server")
    }
    return subject
  }
}

/// The subjects that a proof is made with.
struct ProofMaterial {
  let subjects: Subjects

  /// The material of the parts that are wanted; defects that are named are tried alone.
  func material(of parts: Set<Proof.Part>, onlyDefects wanted: [DefectID]) throws -> Proof.Material {
    let parts = wanted.isEmpty ? parts : parts.intersection([.defects, .blame])
    let tried = try tried(subjects.catalogue.defects.filter(canSwitch), parts, wanted)
    return .init(
      judge: parts.contains(.mutants) ? Judge(catalogue: subjects.catalogue, checks: subjects.pack.checks) : nil,
      references: subjects.embeddedRoles
        .filter { isCompared($0, tried, parts, wanted) }.map { substitute("reference \($0)", $0, []) },
      defective: tried.map { defect in
        guard let bender = bender(of: defect) else {
          return (defect, substitute(defect.id.rawValue, defect.side, [defect.id]))
        }
        return (defect, substitute(defect.id.rawValue, defect.side, [], bender))
      },
      idle: parts.contains(.idle) ? idle : [],
      variants: parts.contains(.variants)
        ? subjects.catalogue.variants.filter(canSwitch).map { substitute($0.id.rawValue, $0.side, [$0.id]) } : [])
  }

  /// The material that an honest SDK of somebody else's gives, of the parts that are wanted.
  func material(
    of parts: Set<Proof.Part>, _ sdk: AdapterCommand, with switches: (defects: [Defect], variants: [Variant]),
    onlyDefects wanted: [DefectID]
  ) throws -> Proof.Material {
    let tried = try tried(switches.defects.filter { isDriven($0.side) }, parts, wanted)
    return .init(
      judge: nil, references: subjects.drivenRoles.map { given($0, sdk, [:]) },
      defective: tried.map { defect in
        let bender = bender(of: defect)
        return (defect, given(defect.side, sdk, bender == nil ? ["CONFORM_DEFECT": defect.id.rawValue] : [:], bender))
      }, idle: [],
      variants: wanted.isEmpty && parts.contains(.variants)
        ? switches.variants.map { given($0.side, sdk, ["CONFORM_VARIANT": $0.id.rawValue]) } : [])
  }

  /// Whether a reference of the kit can have a defect: it has the switch for it, or is bent from outside.
  private func canSwitch(_ defect: Defect) -> Bool {
    defect.bend == nil
      ? subjects.pack.switches[defect.side]?.contains(defect.id) == true
      : subjects.embeddedRoles.contains(defect.side)
  }

  /// Whether a reference of the kit has the switch for a variant.
  private func canSwitch(_ variant: Variant) -> Bool {
    subjects.pack.switches[variant.side]?.contains(variant.id) == true
  }

  /// The material that an honest server of somebody else's gives: it is made wrong from outside alone.
  func material(
    of parts: Set<Proof.Part>, _ server: CalledSubject, with switches: (defects: [Defect], variants: [Variant]),
    onlyDefects wanted: [DefectID]
  ) throws -> Proof.Material {
    let role = subjects.embeddedRoles.first { !isDriven($0) } ?? "server"
    let tried = try tried(switches.defects.filter { $0.side == role }, parts, wanted)
    if let other = tried.first(where: { $0.bend == nil }) {
      throw BadInput("the defect '\(other.id)' is no bend, and a server that is given can be made wrong by bends alone")
    }
    var subjects = self.subjects
    subjects.conditions.redaction = server.redaction
    let dialects = server.provisioning.dialect.map { [$0] } ?? Array(subjects.catalogue.definition.dialects.prefix(1))
    func given(_ name: String, _ bender: Bender?) -> Proof.Substitute {
      let bent = subjects.bent(by: bender)
      return Proof.Substitute(name: name, role: role, bender: bender) {
        try await bent.called(role, server, dialects: dialects)
      }
    }
    return .init(
      judge: nil, references: [given("the server", nil)],
      defective: tried.map { ($0, given($0.id.rawValue, bender(of: $0))) }, idle: [], variants: [], dialects: dialects)
  }

  private func isDriven(_ role: Role) -> Bool { subjects.catalogue.definition.ports(of: role).hasDriver }

  private func bender(of defect: Defect) -> Bender? {
    defect.bend.map { Bender($0, models: subjects.catalogue.models) }
  }

  /// Whether an honest subject of the role has to show what it does without any defect: a defect that is named and tried
  /// alone needs that only where blame is laid.
  private func isCompared(
    _ role: Role, _ tried: [Defect], _ parts: Set<Proof.Part>, _ wanted: [DefectID]
  ) -> Bool {
    wanted.isEmpty || (parts.contains(.blame) && tried.contains { $0.side == role })
  }

  /// The defects that are tried: all of them, or those that are named.
  private func tried(
    _ known: [Defect], _ parts: Set<Proof.Part>, _ wanted: [DefectID]
  ) throws -> [Defect] {
    for id in wanted where !known.contains(where: { $0.id == id }) {
      throw BadInput.unknown("defect", id.rawValue, known.map(\.id.rawValue), list: "defects")
    }
    guard wanted.isEmpty else { return known.filter { wanted.contains($0.id) } }
    return parts.isDisjoint(with: [.defects, .blame]) ? [] : known
  }

  private func given(
    _ role: Role, _ sdk: AdapterCommand, _ switches: [String: String], _ bender: Bender? = nil
  ) -> Proof.Substitute {
    let subjects = self.subjects.bent(by: bender)
    var command = sdk
    command.environment.merge(switches) { _, own in own }
    let started = command
    return Proof.Substitute(name: switches.values.first ?? "the SDK", role: role, bender: bender) {
      try await subjects.driven(role, started)
    }
  }

  private func substitute(
    _ name: String, _ role: Role, _ switches: Set<DefectID>, _ bender: Bender? = nil
  ) -> Proof.Substitute {
    let subjects = self.subjects.bent(by: bender)
    return Proof.Substitute(name: name, role: role, bender: bender) {
      try await subjects.reference(role, switches)
    }
  }

  private var idle: [Proof.Substitute] {
    let subjects = self.subjects
    let definition = subjects.catalogue.definition
    let driven = subjects.embeddedRoles.filter { definition.ports(of: $0).hasDriver }
    let called = subjects.embeddedRoles.filter { !definition.ports(of: $0).hasDriver }
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
