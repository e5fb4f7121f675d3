import ArgumentParser
import ConformanceBench
import ConformanceData
import ConformanceJudge
import ConformanceModel
import ConformanceReport
import ConformanceRunner
import ConformanceTLS
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
        conform prove --only defects,idle
        conform prove --only blame --sample 20       every case against 20 of the defects
        conform prove --sdk 'node my_adapter.mjs' --defects my_defects.yaml
        conform prove --server-file provisioning.yaml        an honest server, made wrong by the bends of the protocol
        conform prove --backend binding.yaml --defects my_defects.yaml
        conform prove --pack my-protocol --format markdown > PROOF.md

      A subject that is given is proven with what a file lists, or without one with those defects of the protocol that
      are bends: the kit itself changes what the subject sends. For any other defect an SDK or backend is started with
      CONFORM_DEFECT or CONFORM_VARIANT set to the id.

      The exit code is 1 when the proof does not hold, and 2 when nothing can be proven so: a bend changes nothing, or the
      subject that it is to make wrong is not honest.
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions

  @Option(
    name: .customLong("defect"),
    help: ArgumentHelp("Try only this defect; several with commas, or repeated.", valueName: "id"))
  var defects: [ListArgument<String>] = []

  @Option(help: ArgumentHelp("An honest SDK to prove the suite with, instead of the references.", valueName: "command"))
  var sdk: String?

  @Option(
    help: ArgumentHelp(
      "An honest server to prove the suite with: the provisioning file that lends it.", valueName: "file"))
  var serverFile: String?

  @Option(
    help: ArgumentHelp(
      "An honest backend to prove the suite with: the binding file that says how it is started.", valueName: "file"))
  var backend: String?

  @Option(
    name: .customLong("defects"),
    help: ArgumentHelp(
      "The file of the bends, and of the defects and variants that the SDK can switch on.", valueName: "file"))
  var defectsFile: String?

  @Option(
    help: ArgumentHelp(
      "Try only so many of the defects and of the variants, picked with the seed.", valueName: "number"))
  var sample: Int?

  @Option(help: ArgumentHelp("Prove only this part; several with commas, or repeated.", valueName: "part"))
  var only: [ListArgument<Proof.Part>] = []

  @Flag(help: "Try each defect, idle subject and variant in every dialect, not in one each.")
  var everyDialect = false

  @Option(help: ArgumentHelp("The seed of everything random.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "text, json, or markdown: a table of the figures for a README.", valueName: "format"))
  var format = ProofFigures.Format.text

  @Flag(help: "Print only what is wrong, and the figures.")
  var quiet = false

  func validate() throws {
    let given = [sdk, serverFile, backend].compactMap(\.self)
    if given.count > 1 {
      throw ValidationError("give --sdk, --server-file or --backend, and only one: a proof is about one subject")
    }
    if defectsFile != nil, given.isEmpty {
      throw ValidationError(
        "--defects is about a subject that is given: name it with --sdk, --server-file or --backend")
    }
    if let sample, sample < 1 { throw ValidationError("--sample wants a number of at least 1, found \(sample)") }
  }

  func run() async throws {
    try OpenFiles.makeRoom()
    ForkServer.prepare()
    if let remains = try RunFolder.clearRemains() { Terminal.error("conform: \(remains)\n") }
    let catalogue = try await catalogueOptions.catalogue()
    let pack = Packs.pack(of: catalogue)
    let backend = try CalledSubject(referenceOf: pack, schemas: catalogueOptions.schemaFolder, catalogue)
    let conditions = Testbed.Conditions(
      kit: Kit.name, seed: seed, timeLimit: .seconds(30), redaction: backend?.redaction ?? Redaction(), tls: RunTLS())
    let subjects = Subjects(catalogue: catalogue, pack: pack, conditions: conditions, backend: backend)
    let parts = only.isEmpty ? Set(Proof.Part.allCases).subtracting([.blame]) : Set(only.values())
    let material = try await material(subjects, parts)
    let proof = Proof(
      catalogue: catalogue, material: material, cores: ProcessInfo.processInfo.activeProcessorCount,
      everyDialect: everyDialect, laysBlame: parts.contains(.blame),
      cards: { FailureGroup.leads(of: $0, in: catalogue) })
    let showsProgress = Terminal.outputIsTerminal && !quiet
    let report = LockedValue<ProofReport?>(nil)
    let wasInterrupted = try await Interruption.watch(telling: "stopping; the proof is given up") {
      let found = try await proof.run { done, total, name in
        if showsProgress {
          Terminal.output("\r\u{1B}[K\(done) of \(total)  \(name)")
        } else if !quiet, done * 10 / total > (done - 1) * 10 / total {
          Terminal.error("conform: \(done) of \(total) tried\n")
        }
      }
      report.change { $0 = found }
    }
    if showsProgress { Terminal.output("\r\u{1B}[K") }
    guard let found = report.value, !wasInterrupted else { throw Finished(code: .unjudged) }
    let text = ProofText(report: found, quiet: quiet, places: try await places(of: found.unbent))
    let figures = ProofFigures(report: found, catalogue: catalogue)
    switch format {
    case .text: Terminal.output(.lines(text.text + figures.text))
    case .markdown: Terminal.output(.lines(figures.markdown))
    case .json: Terminal.output(.lines(figures.json(complaints: text.complaints)))
    }
    throw Finished(code: found.holds ? .conformant : found.isBadInput ? .badInput : .violations)
  }

  /// Where defects stand in their files.
  private func places(of defects: [Defect]) async throws -> [DefectID: String] {
    guard !defects.isEmpty else { return [:] }
    let located =
      if let defectsFile { try await catalogueOptions.defects(defectsFile).defects } else {
        try await catalogueOptions.source().sources().defects
      }
    return Dictionary(located.map { ($0.value.id, $0.place) }) { first, _ in first }
  }

  private func material(_ subjects: Subjects, _ parts: Set<Proof.Part>) async throws -> Proof.Material {
    let wanted = defects.values().map { DefectID($0) }
    guard sdk != nil || !subjects.embeddedRoles.isEmpty else {
      throw BadInput(
        "the kit carries no reference for \(subjects.pack.name) to prove the suite with: give an honest SDK with --sdk, "
          + "and the defects that it can switch on with --defects")
    }
    var material =
      if let sdk {
        try ProofMaterial(subjects: subjects).material(
          of: parts, AdapterCommand(shellLike: sdk), with: try await switches(subjects.catalogue), onlyDefects: wanted)
      } else if let file = serverFile ?? backend {
        try ProofMaterial(subjects: subjects).material(
          of: parts, try called(file, subjects), with: try await switches(subjects.catalogue),
          onlyDefects: wanted)
      } else {
        try ProofMaterial(subjects: subjects).material(of: parts, onlyDefects: wanted)
      }
    if let sample {
      var random = SeededRandom(seed: seed)
      material.defective = Array(material.defective.shuffled(using: &random).prefix(sample))
      material.variants = Array(material.variants.shuffled(using: &random).prefix(sample))
    }
    return material
  }

  /// What a subject that is given is proven with.
  private func switches(_ catalogue: Catalogue) async throws -> (defects: [Defect], variants: [Variant]) {
    if let defectsFile {
      let listed = try await catalogueOptions.defects(defectsFile)
      return (listed.defects.map(\.value), listed.variants)
    }
    let bends = catalogue.defects.filter { $0.bend != nil }
    guard !bends.isEmpty else {
      throw BadInput(
        "no defect of \(catalogue.definition.name) is a bend, so nothing can be tried: list some in a file, and give it "
          + "with --defects")
    }
    return (bends, [])
  }

  private func called(_ file: String, _ subjects: Subjects) throws -> (Role, CalledSubject) {
    let options = try SubjectOptions.parse([serverFile == nil ? "--backend" : "--server-file", file])
    let role = try options.roles(nil, in: subjects.catalogue.definition, subjects.pack).first
    guard let role,
      let subject = try CalledSubject(options, as: role, schemas: catalogueOptions.schemaFolder, subjects.catalogue)
    else {
      throw BadInput("'\(file)' lends nobody who could be called")
    }
    return (role, subject)
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
      references: subjects.soleRoles
        .filter { isCompared($0, tried, parts, wanted) }.map { substitute("reference \($0)", $0, []) },
      referenceCases: wanted.isEmpty || parts.contains(.blame) ? [] : namedCases(of: tried),
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
      }, idle: wanted.isEmpty && parts.contains(.idle) ? idle.filter { isDriven($0.role) } : [],
      variants: wanted.isEmpty && parts.contains(.variants)
        ? switches.variants.map { given($0.side, sdk, ["CONFORM_VARIANT": $0.id.rawValue]) } : [])
  }

  /// Whether a reference of the kit can have a defect: it has the switch for it, or is bent from outside.
  private func canSwitch(_ defect: Defect) -> Bool {
    defect.bend == nil
      ? subjects.pack.switches[defect.side]?.contains(defect.id) == true
      : subjects.soleRoles.contains(defect.side)
  }

  /// Whether a reference of the kit has the switch for a variant.
  private func canSwitch(_ variant: Variant) -> Bool {
    subjects.pack.switches[variant.side]?.contains(variant.id) == true
  }

  /// The material that an honest server or backend of somebody else's gives. The kit makes it wrong from outside; one
  /// that is started is told in its environment of defects that are no bends, and of variants.
  func material(
    of parts: Set<Proof.Part>, _ given: (role: Role, subject: CalledSubject),
    with switches: (defects: [Defect], variants: [Variant]), onlyDefects wanted: [DefectID]
  ) throws -> Proof.Material {
    let (role, subject) = given
    let tried = try tried(switches.defects.filter { $0.side == role }, parts, wanted)
    if subject.provisioning.start == nil, let other = tried.first(where: { $0.bend == nil }) {
      throw BadInput(
        "the defect '\(other.id)' is no bend, and a subject that nobody starts can be made wrong by bends alone")
    }
    var subjects = self.subjects
    subjects.conditions.redaction = subject.redaction
    Terminal.conceal(subject.redaction)
    let dialects = subject.provisioning.dialect.map { [$0] } ?? Array(subjects.catalogue.definition.dialects.prefix(1))
    func substitute(_ name: String, _ variables: [String: String] = [:], _ bender: Bender? = nil) -> Proof.Substitute {
      let bent = subjects.bent(by: bender)
      let started = subject.started(with: variables)
      return Proof.Substitute(name: name, role: role, bender: bender) {
        try await bent.called(role, started, dialects: dialects)
      }
    }
    return .init(
      judge: nil, references: [substitute("the \(role)")],
      defective: tried.map { defect in
        let name = defect.id.rawValue
        let bender = bender(of: defect)
        return (defect, substitute(name, bender == nil ? ["CONFORM_DEFECT": name] : [:], bender))
      },
      idle: wanted.isEmpty && parts.contains(.idle) ? idle.filter { $0.role == role } : [],
      variants: wanted.isEmpty && parts.contains(.variants) && subject.provisioning.start != nil
        ? switches.variants.filter { $0.side == role }
          .map { substitute($0.id.rawValue, ["CONFORM_VARIANT": $0.id.rawValue]) } : [],
      dialects: dialects)
  }

  private func isDriven(_ role: Role) -> Bool { subjects.catalogue.definition.ports(of: role).hasDriver }

  private func bender(of defect: Defect) -> Bender? {
    defect.bend.map { Bender([$0], models: subjects.catalogue.models) }
  }

  /// Whether an honest subject of the role has to show what it does without any defect: of defects that are named and tried
  /// alone, those need it that are bends, and all where blame is laid.
  private func isCompared(
    _ role: Role, _ tried: [Defect], _ parts: Set<Proof.Part>, _ wanted: [DefectID]
  ) -> Bool {
    wanted.isEmpty || tried.contains { $0.side == role && ($0.bend != nil || parts.contains(.blame)) }
  }

  /// The cases that must notice these defects, where each names one; none stands for all.
  private func namedCases(of defects: [Defect]) -> [String] {
    let names = defects.compactMap(\.caseName)
    return names.count == defects.count ? names : []
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

  /// Subjects that do nothing, of all roles that one without the others can play.
  private var idle: [Proof.Substitute] {
    let subjects = self.subjects
    let sdks = subjects.drivenRoles.flatMap { role in
      IdleSDK.Kind.allCases.map { kind in
        let sdk = IdleSDK(kind, of: subjects.catalogue)
        let command = AdapterCommand(
          executable: ConformanceData.pathOfProgram, arguments: ["idle"],
          environment: [IdleCommand.variable: sdk.representation.compactText])
        return Proof.Substitute(name: "\(kind.rawValue) \(role)", role: role) {
          try await subjects.driven(role, command)
        }
      }
    }
    let empty = HTTPResponse.json(200, .object([:]))
    let servers: [(String, EmbeddedServer.Behaviour)] = [
      ("null server", .constant(HTTPResponse(status: 404))), ("constant server", .constant(empty)),
      ("echo server", .echo), ("hang-up server", .hangUp),
    ]
    return sdks
      + subjects.calledRoles.flatMap { role in
        servers.map { name, behaviour in
          Proof.Substitute(name: name, role: role) { try await subjects.embedded(name, role) { _ in behaviour } }
        }
      }
  }
}

extension Proof.Part: ExpressibleByArgument {}
