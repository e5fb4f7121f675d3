import Adapters
import ArgumentParser
import CommandInterface
import Concurrency
import ConformanceBench
import ConformanceData
import ConformanceJudge
import ConformanceModel
import ConformancePack
import ConformanceRunner
import ConformanceTLS
import FoundationEssentials
import Processes
import Proof
import Recording
import Records
import TextKit

/// `conform prove`: shows that the cases notice defects and do not report legal behaviour.
struct ProveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prove",
    abstract: "Tests the cases of a protocol: they must notice defects, and must not fail legal variants.",
    discussion: """
      If a defect violates a requirement, a claim about this requirement must notice the defect. A no-op \
      implementation must not pass a mandatory requirement without a stated reason. A legal variant of the references \
      must not fail a verdict.

      Examples:
        conform prove
        conform prove --every-dialect
        conform prove --defect queue.holds-99
        conform prove --only defects,idle
        conform prove --only blame --sample 20
                                every case against 20 of the defects
        conform prove --only crosstalk --sample 20
                                20 implementations, each with two to eight defects
        conform prove --only equality --sample 20
                                compare whole runs, filtered runs and single cases
        conform prove --sdk 'node my_adapter.mjs' --defects my_defects.yaml
        conform prove --sdk 'node my_adapter.mjs' --only mutants \\
          --mutants my_mutants.yaml
        conform prove --server-file provisioning.yaml
                                a conforming server, with the protocol's mutations
        conform prove --backend binding.yaml --defects my_defects.yaml
        conform prove --sdk 'node my_adapter.mjs' --backend binding.yaml
                                both as a chain, with mutations at any port
        conform prove --pack my-protocol --format markdown > PROOF.md

      With --sdk, --server-file or --backend, the file of --defects lists the defects. Without this file, the defects \
      are the mutations of the protocol ('bend'), with which the kit changes the messages of the subject. If a defect \
      or variant in the file is not a mutation, the kit starts the SDK or backend with the id of the defect in \
      CONFORM_DEFECT, or with the id of the variant in CONFORM_VARIANT. The part 'mutants' changes the transcripts of \
      the conforming subject, one place at a time, and judges them again. If no claim notices a change, mutants.yaml \
      of the protocol or the file of --mutants must give a reason.

      The exit code is 0 if the proof holds, 1 if it does not hold, and 2 if nothing can be proven: a mutation changes \
      nothing, or the subject does not conform without a mutation.
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions

  @Option(
    name: .customLong("defect"),
    help: ArgumentHelp("Try only this defect. For several, repeat the option or use commas.", valueName: "id"),
    completion: NameCompletion.of(.defect))
  var defects: [ListArgument<String>] = []

  @Option(
    help: ArgumentHelp(
      "The command that starts the adapter of a conforming SDK, which replaces the reference.", valueName: "command"))
  var sdk: String?

  @Option(
    help: ArgumentHelp(
      "The provisioning file of a conforming server, which replaces the reference.", valueName: "file"),
    completion: .file())
  var serverFile: String?

  @Option(
    help: ArgumentHelp("The binding file of a conforming backend, which replaces the reference.", valueName: "file"),
    completion: .file())
  var backend: String?

  @Option(
    name: .customLong("defects"),
    help: ArgumentHelp(
      "A file that lists mutations, and the defects and variants that the subject can switch on.", valueName: "file"),
    completion: .file())
  var defectsFile: String?

  @Option(
    name: .customLong("mutants"),
    help: ArgumentHelp(
      "A file with reasons why some transcript mutations of the subject are legal.", valueName: "file"),
    completion: .file())
  var mutantsFile: String?

  @Option(
    help: ArgumentHelp(
      """
      Try only this number of defects and of variants, drawn with the seed. Leave out the no-op implementations of \
      pairs. For crosstalk, this is the number of implementations, and the default is 20.
      """, valueName: "number"))
  var sample: Int?

  @Option(help: ArgumentHelp("Prove only this part. For several, repeat the option or use commas.", valueName: "part"))
  var only: [ListArgument<Proof.Part>] = []

  @Option(
    help: ArgumentHelp(
      """
      Write shapes.yaml, the shapes of each defect's findings. Use it with --only defects, without --sample.
      """, valueName: "file"), completion: .file())
  var shapes: String?

  @Flag(help: "Try each defect, no-op implementation and variant in all dialects, not only in one dialect.")
  var everyDialect = false

  @Option(help: ArgumentHelp("The seed of all random values.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp("The form of the output. markdown is a table of the figures for a README.", valueName: "format"))
  var format = ProofFigures.Format.text

  @Flag(help: "Print only problems and the figures.")
  var quiet = false

  func validate() throws {
    if serverFile != nil, backend != nil {
      throw ValidationError(
        "give only one of --server-file and --backend: a proof has one subject, or an SDK and a called subject")
    }
    for (option, file) in [("--defects", defectsFile), ("--mutants", mutantsFile)]
    where file != nil && sdk == nil && !namesCalled {
      throw ValidationError(
        "\(option) needs a subject: name it with --sdk, --server-file or --backend")
    }
    if let sample, sample < 1 { throw ValidationError("--sample expects a number of at least 1, found \(sample)") }
  }

  private var namesCalled: Bool { serverFile != nil || backend != nil }

  func run() async throws {
    try OpenFiles.makeRoom()
    ForkServer.prepare()
    if let remains = try RunFolder.clearRemains() { Terminal.error("conform: \(remains)\n") }
    let catalogue = try await catalogueOptions.catalogue()
    let pack = Packs.pack(of: catalogue)
    let backend = try CalledSubject(referenceOf: pack, schemas: catalogueOptions.schemaFolder, catalogue)
    let conditions = RunConditions(
      kit: Kit.name, seed: seed, timeLimit: .seconds(30), redaction: backend?.redaction ?? Redaction(), tls: RunTLS())
    let subjects = Subjects(catalogue: catalogue, pack: pack, conditions: conditions, backend: backend)
    let parts = only.isEmpty ? Proof.Part.usual : Set(only.values())
    let material = try await material(subjects, parts)
    let proof = Proof(
      catalogue: catalogue, material: material, cores: ProcessInfo.processInfo.activeProcessorCount,
      everyDialect: everyDialect, laysBlame: parts.contains(.blame), seed: seed,
      cards: Self.cards(of: catalogue))
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
    guard var found = report.value, !wasInterrupted else { throw Finished(code: .unjudged) }
    found.recordsShapes = shapes != nil
    if let shapes { try catalogueOptions.rewrite(shapes, as: found.shapes) }
    let text = ProofText(
      report: found, quiet: quiet, places: try await places(of: found.unbent), protocolName: catalogue.definition.name)
    let figures = ProofFigures(report: found, catalogue: catalogue)
    switch format {
    case .text: Terminal.output(.lines(text.text + figures.text))
    case .markdown: Terminal.output(.lines(figures.markdown))
    case .json: Terminal.output(.lines(figures.json(complaints: text.complaints)))
    }
    throw Finished(code: found.holds ? .conformant : found.isBadInput ? .badInput : .violations)
  }

  /// Returns a function that makes failure reports from verdicts. Each report names the defects that can be its cause.
  private static func cards(of catalogue: Catalogue) -> Proof.Cards {
    let known = KnownDefects(of: catalogue)
    return { settled in
      FailureGroup.examples(of: settled, in: catalogue).map { ruling in
        Proof.Card(
          requirement: ruling.requirement, example: ruling.instance,
          guesses: known.alike(ruling.verdict).map(\.id))
      }
    }
  }

  /// The file and the line in which each defect is defined.
  private func places(of defects: [Defect]) async throws -> [DefectID: String] {
    guard !defects.isEmpty else { return [:] }
    let located =
      if let defectsFile { try await catalogueOptions.proofFile().switches(defectsFile).defects } else {
        try await catalogueOptions.source().sources().defects
      }
    return Dictionary(located.map { ($0.value.id, $0.place) }) { first, _ in first }
  }

  private func material(_ subjects: Subjects, _ parts: Set<Proof.Part>) async throws -> Proof.Material {
    let wanted = defects.values().map { DefectID($0) }
    let given = try await given(subjects)
    guard given != nil || !subjects.referenceRoles.isEmpty else {
      throw BadInput(
        "the kit carries no reference for \(subjects.pack.name) to prove the suite with: give a conforming SDK with --sdk, "
          + "and the defects that it can switch on with --defects")
    }
    if given != nil, parts.contains(.equality) {
      throw BadInput(
        "--only equality compares verdicts on the references: leave out --sdk, --server-file and --backend")
    }
    let maker = ProofMaterial(subjects: subjects, given: given)
    var material =
      if given != nil {
        try maker.material(of: parts, knowing: try await knowledge(subjects.catalogue, parts), onlyDefects: wanted)
      } else {
        try maker.material(of: parts, onlyDefects: wanted)
      }
    if let sample {
      var random = SeededRandom(seed: seed)
      material.defective = Array(material.defective.shuffled(using: &random).prefix(sample))
      material.variants = Array(material.variants.shuffled(using: &random).prefix(sample))
      material.equality.defects = Array(material.equality.defects.shuffled(using: &random).prefix(sample))
      // The cases of a pair take real time, which no-op implementations use up.
      material.idle.removeAll { subjects.catalogue.definition.isPair($0.role) }
    }
    if parts.contains(.crosstalk) {
      material.crosstalk = try maker.crosstalk(sample ?? Self.subjects, seed: seed, onlyDefects: wanted)
      if parts == [.crosstalk] {
        // Without other parts, the references run only in the roles and dialects of these implementations.
        let drawn = material.crosstalk.subjects
        material.references.removeAll { reference in !drawn.contains { $0.role == reference.role } }
        if material.dialects.isEmpty { material.dialects = Array(Set(drawn.map(\.dialect))).sorted() }
      }
    }
    return material
  }

  /// The number of implementations with several defects that a proof makes, unless `--sample` sets another number.
  private static let subjects = 20

  /// The defects, variants and equivalent mutants for a proof with third-party subjects, from the files that the
  /// options name. If `--defects` is missing, the defects are those mutations that the catalogue defines as defects.
  private func knowledge(_ catalogue: Catalogue, _ parts: Set<Proof.Part>) async throws -> ProofMaterial.Knowledge {
    var known = ProofMaterial.Knowledge(defects: catalogue.defects.filter { $0.bend != nil }, variants: [], reasons: [])
    if let mutantsFile { known.reasons = try await catalogueOptions.proofFile().equivalentMutants(mutantsFile) }
    if let defectsFile {
      let listed = try await catalogueOptions.proofFile().switches(defectsFile)
      (known.defects, known.variants) = (listed.defects.map(\.value), listed.variants)
      return known
    }
    guard !known.defects.isEmpty || parts.isDisjoint(with: [.defects, .blame]) else {
      throw BadInput(
        "no defect of \(catalogue.definition.name) has a 'bend', so none can be tried: list some in a file, and give it "
          + "with --defects")
    }
    return known
  }

  /// The third-party subjects that the options name. Nil if the options name none; then the proof uses the references.
  private func given(_ subjects: Subjects) async throws -> GivenSubjects? {
    let command = if let sdk { try await AdapterAddress.command(of: sdk) } else { nil as ProgramCommand? }
    guard let file = serverFile ?? backend else {
      return command.map { GivenSubjects(sdk: $0, called: nil, roles: subjects.drivenRoles) }
    }
    let words = [serverFile == nil ? "--backend" : "--server-file", file] + (sdk.map { ["--sdk", $0] } ?? [])
    let options = try await OptionLine<SubjectOptions>.options(words)
    let role = try options.roles(nil, in: subjects.catalogue.definition, subjects.pack).first
    guard let role,
      let called = try CalledSubject(options, as: role, schemas: catalogueOptions.schemaFolder, subjects.catalogue)
    else {
      throw BadInput("'\(file)' describes no subject that the kit can call")
    }
    return GivenSubjects(sdk: command, called: called, roles: [role])
  }
}

extension Proof.Part: ExpressibleByArgument {}
extension ProofFigures.Format: ExpressibleByArgument {}
