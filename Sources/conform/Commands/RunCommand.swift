import ArgumentParser
import Audit
import Certification
import CommandInterface
import Concurrency
import ConformanceModel
import ConformancePack
import ConformanceRunner
import ConformanceSpec
import ConformanceVerdict
import Files
import Processes
import Recording
import Records
import Templates

/// `conform run`: runs cases and reports the verdicts.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs cases against a subject and judges the results.",
    discussion: """
      Examples:
        conform run                                   the references of the kit
        conform run --sdk 'python3 my_adapter.py'     an SDK, through its adapter
        conform run --server http://localhost:3000    a server
        conform run --server-file provisioning.yaml   a server, in all states
        conform run --sdk ./adapter --server-file provisioning.yaml
                                                      an SDK and a server
        conform run --feature 13 --dialect core-1.21  one feature, one dialect
        conform run --sdk ./adapter --baseline baseline.yaml
                                                      fail only for new violations
        conform run --shard 2/4 --output shards/2     the second of four parts,
                                                      for 'conform merge'
        conform run --sdk ./adapter --last-failed     what failed in the last run
        conform run --sdk ./adapter --case NAME --trace
                                                      see one case while it runs
        conform run --sdk ./adapter --case NAME --pause
                                                      go through it step by step
        conform run --sdk ./adapter --repeat 5        find verdicts that differ
        conform run --sdk ./adapter --watch src       run again after each change
        conform run --case 'offline.*' --defect queue.holds-99
                                                      see the report of a defect

      The exit code is 0 for a conformant subject, 1 for violations, 2 for bad input, 3 if a verdict was not \
      judged or the run is incomplete, and 4 if the baseline expects violations that are gone.
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions
  @OptionGroup var subjectOptions: SubjectOptions
  @OptionGroup var selectionOptions: SelectionOptions
  @OptionGroup var positionOptions: PositionOptions
  @OptionGroup var shardOptions: ShardOptions

  @Option(
    help: ArgumentHelp(
      """
      The command that starts the same adapter around an SDK that is broken on purpose. The kit first runs the cases \
      with this adapter. If a mandatory requirement holds there, the adapter does the work of the SDK itself.
      """, valueName: "command"))
  var sdkBroken: String?

  @Option(help: ArgumentHelp("The gate. It decides which violated requirements fail the run.", valueName: "gate"))
  var gate = Gate.stated

  @Option(
    help: ArgumentHelp(
      "A baseline. A known violation does not fail the run. If the violation of an entry is gone, the run fails.",
      valueName: "file"), completion: .file())
  var baseline: String?

  @Option(
    help: ArgumentHelp("The folder for the record, the JUnit file and the evidence.", valueName: "folder"),
    completion: .directory)
  var output = ReportFiles.defaultFolder

  @Flag(help: "Write to the folder even if it contains files that are not a report of the kit.")
  var force = false

  @Option(
    help: ArgumentHelp("The file of the run record, instead of the record in --output.", valueName: "file"),
    completion: .file())
  var record: String?

  @Option(
    help: ArgumentHelp("The JUnit file, instead of the file in --output.", valueName: "file"), completion: .file())
  var junit: String?

  @Option(
    help: ArgumentHelp("Write the report to this file as one HTML page, too.", valueName: "file"), completion: .file())
  var html: String?

  @OptionGroup var junitOptions: JUnitOptions

  @OptionGroup var cardOptions: CardOptions

  @Flag(help: "Print only problems and the summary.")
  var quiet = false

  @Flag(help: "Run only the cases that failed or were unjudged in the last run with the same --output.")
  var lastFailed = false

  @Option(
    defaultAsFlag: 1,
    help: ArgumentHelp(
      "Stop after this number of failing cases; without a number, after the first one. The result is then incomplete.",
      valueName: "number"))
  var failFast: Int?

  @Option(
    help: ArgumentHelp(
      "Stop after this number of cases in which the adapter did not answer in time.", valueName: "number"))
  var maxHangs: Int?

  @Flag(help: "Print each message and call when it happens. One case runs at a time.")
  var trace = false

  @Flag(help: "Like --trace, and wait for a key before each step.")
  var pause = false

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "Perform this number of runs, each with its own folder, and list the verdicts that differ.", valueName: "number"
    ))
  var repetitions = 1

  @Option(
    name: .customLong("watch"),
    help: ArgumentHelp(
      "Run again when a file changes below this path. For several, repeat the option.", valueName: "path"),
    completion: .file())
  var watched: [String] = []

  @Option(
    help: ArgumentHelp("Take the seed from this challenge, which 'conform challenge new' wrote.", valueName: "file"),
    completion: .file())
  var challenge: String?

  func validate() throws {
    guard challenge == nil || subjectOptions.seed == 1 else {
      throw ValidationError("--challenge sets the seed: leave out --seed or --challenge")
    }
    guard !lastFailed || selectionOptions.cases.isEmpty else {
      throw ValidationError("--last-failed selects the cases: leave out --case or --last-failed")
    }
    guard repetitions > 0 else {
      throw ValidationError("--repeat expects a number of runs from 1, found \(repetitions)")
    }
    let names = [("--watch", !watched.isEmpty), ("--repeat", repetitions > 1)].filter(\.1).map(\.0)
    let fixed = [("--record", record), ("--junit", junit), ("--html", html)].filter { $0.1 != nil }.map(\.0)
    guard names.count < 2, repetitions == 1 || fixed.isEmpty else {
      throw ValidationError("\((names + fixed).joined(separator: " and ")) do not fit together: leave one of them out")
    }
    if sdkBroken != nil, subjectOptions.sdk == nil {
      throw ValidationError("--sdk-broken is the adapter of --sdk around a broken SDK: give --sdk too")
    }
    for (name, limit) in [("--fail-fast", failFast), ("--max-hangs", maxHangs)] {
      if let limit, limit < 1 { throw ValidationError("\(name) expects a number of cases from 1, found \(limit)") }
    }
  }

  mutating func run() async throws {
    if repetitions > 1 { return try await runRepeatedly() }
    if !watched.isEmpty { return try await runOnChanges() }
    try await runOnce()
  }

  /// Performs one run. Throws ``Finished`` when the run has ended.
  ///
  /// - Parameter given: the challenge that decides the seed of the run. If it is nil, the run uses the challenge in the
  ///   file of `--challenge`. If the option is missing, too, the run answers no challenge.
  mutating func runOnce(answering given: ChallengeFile? = nil) async throws {
    trace = trace || pause
    if trace { subjectOptions.jobs = 1 }
    let challenge = try given ?? challenge.map { try ChallengeFile($0) }
    if let challenge { subjectOptions.seed = try challenge.seed(at: .now) }
    let bazel = BazelTest()
    junit = junit ?? bazel.junit
    if let cases = bazel.cases, let filter = ListArgument<String>(argument: cases) {
      selectionOptions.cases = [filter]
      Terminal.error("conform: only the cases '\(cases)', by TESTBRIDGE_TEST_ONLY\n")
    }
    // Forking is cheap while the process is still small.
    ForkServer.prepare()
    Terminal.conceal(subjectOptions.redaction(nil))
    let files = try ReportFiles(
      folder: output, record: record, junit: junit, html: html, junitOptions: junitOptions.options,
      isForced: force)
    if lastFailed {
      selectionOptions.cases = try LastFailures(in: files.record).names.compactMap { ListArgument(argument: $0) }
    }
    let hasBegun = LockedValue(false)
    do {
      try bazel.acknowledgeSharding()
      try OpenFiles.makeRoom()
      try await run(writing: files, answering: challenge?.challenge, hasBegun)
    } catch {
      if !hasBegun.value { files.markResultsAsStale() }
      throw error
    }
  }

  private func run(
    writing files: ReportFiles, answering challenge: Challenge?, _ hasBegun: LockedValue<Bool>
  ) async throws {
    if let remains = try RunFolder.clearRemains() { Terminal.error("conform: \(remains)\n") }
    let source = try catalogueOptions.source()
    let work = try work(source, on: positionOptions.applied(to: await source.catalogue())).answering(challenge)
    let code = LockedValue<ConformanceVerdict.ExitCode?>(nil)
    _ = try await Interruption.watch(telling: "stopping; cases under way are given up") {
      let ended = try await perform(work, files, hasBegun)
      code.change { $0 = ended }
    }
    await Subjects.leave()
    throw Finished(code: code.value ?? .unjudged, work: work)
  }

  /// Everything that a run needs. It is prepared before the first case, so all input files have been read by then.
  private struct Work: Sendable {
    var header: RunRecord.Header
    var plans: [(Role, Plan)]
    var subjects: Subjects
    var called: CalledSubject?
    var baseline: Baseline?

    /// The same work for a run that answers a challenge. The record names the challenge, and the challenge decides the
    /// order of the cases. So the order is unknown until the challenge is issued.
    func answering(_ challenge: Challenge?) -> Work {
      guard let challenge else { return self }
      var work = self
      work.header.challenge = challenge.digest
      work.plans = plans.map { ($0, $1.shuffled(by: challenge.seed)) }
      return work
    }
  }

  private func work(_ source: ProtocolSource, on catalogue: Catalogue) throws -> Work {
    let pack = Packs.pack(of: catalogue)
    let baseline = try baseline.map {
      try BaselineFile(readingFrom: $0, schemas: source.schemaFolder, catalogue)
    }
    let known = try baseline?.inForce()
    let roles = try subjectOptions.roles(selectionOptions.role, in: catalogue.definition, pack)
    if selectionOptions.role == nil {
      for omission in subjectOptions.omissions(roles, in: catalogue.definition) {
        Terminal.error("conform: \(omission)\n")
      }
    }
    let called = try CalledSubject(
      subjectOptions, as: roles.first.map(catalogue.definition.calledRole(of:)), schemas: source.schemaFolder,
      catalogue)
    let all = try plans(for: roles, catalogue, called)
    let part = try shardOptions.part(of: all, hosts: catalogue.definition.hosts)
    let plans = part?.plans ?? all
    try subjectOptions.checkSwitches(for: roles, of: pack, in: catalogue)
    return Work(
      header: header(catalogue, source, plans, called, baseline, part?.shard), plans: plans,
      subjects: try subjects(called, catalogue, pack, source.schemaFolder), called: called, baseline: known)
  }

  private func subjects(
    _ called: CalledSubject?, _ catalogue: Catalogue, _ pack: ProtocolPack, _ schemas: CatalogueFolder
  ) throws -> Subjects {
    let backend = called == nil ? try CalledSubject(referenceOf: pack, schemas: schemas, catalogue) : nil
    let redaction = subjectOptions.redaction(called ?? backend, vocabulary: Redaction.vocabulary(of: catalogue))
    Terminal.conceal(redaction)
    var conditions = subjectOptions.conditions(redaction)
    if trace { conditions.trace = LiveTrace().print }
    if pause { conditions.pause = StepPrompt().wait }
    if let wire = subjectOptions.wire {
      conditions.wire = try WireFolder(wire, schemas: schemas).exchanges(for: catalogue)
    }
    return Subjects(catalogue: catalogue, pack: pack, conditions: conditions, backend: backend)
  }

  /// Connects the subjects and runs the plans on them. In the end, closes the subjects, even if an error is thrown.
  private func perform(
    _ work: Work, _ files: ReportFiles, _ hasBegun: LockedValue<Bool>
  ) async throws -> ConformanceVerdict.ExitCode {
    let (plans, subjects) = (work.plans, work.subjects)
    var testbeds: [Testbed] = []
    do {
      // Plugs all subjects in before the first file is written: a run that cannot begin leaves no partial files.
      for (role, _) in plans {
        let dialects = dialects(subjects.catalogue, work.called)
        testbeds.append(try await plugIn(role, subjects, work.called, dialects))
      }
      let driving = try await driving(work, testbeds)
      var header = work.header
      header.jobs = testbeds.map { subjectOptions.jobs(for: $0) }.max() ?? 1
      let redaction = subjects.conditions.redaction
      try files.prepare(for: plans.flatMap { $0.1.items.map(\.instance) })
      hasBegun.change { $0 = true }
      let reporter = try RunReporter(
        header: header, baseline: work.baseline, files: files, catalogue: subjects.catalogue, quiet: quiet,
        cards: cardOptions.style,
        limits: [CaseLimit(failFast, .failing), CaseLimit(maxHangs, .hanging)].compactMap(\.self)
      ) { redaction($0) }
      return try await perform(plans, on: testbeds, driving, redaction, reporter)
    } catch {
      for testbed in testbeds { await testbed.close() }
      throw error
    }
  }

  /// Maps the role of each SDK to whether the adapter of `--sdk` really calls the SDK. To find this out, the cases also
  /// run with the broken SDK of `--sdk-broken`. If this option is missing, the result is `notShown`.
  private func driving(_ work: Work, _ testbeds: [Testbed]) async throws -> [Role: RunRecord.Driving] {
    guard subjectOptions.sdk != nil else { return [:] }
    let catalogue = work.subjects.catalogue
    var results: [Role: RunRecord.Driving] = [:]
    for ((role, plan), testbed) in zip(work.plans, testbeds) {
      guard let driven = catalogue.definition.parts(of: role).driven else { continue }
      results[driven] = .notShown
      guard let sdkBroken else { continue }
      var options = subjectOptions
      options.sdk = sdkBroken
      if !quiet { Terminal.error("conform: \("case".counted(plan.items.count)) with the broken SDK\n") }
      let broken = try await work.subjects.plugIn(
        role, options, work.called, dialects: dialects(catalogue, work.called))
      let check = DriveCheck(catalogue: catalogue, jobs: options.jobs(for: broken))
      let result = try await check.driving(of: plan, on: broken, like: testbed)
      results[driven] = result
      if case .answersWithout(let held, _) = result {
        IncidentLog.shared.note(.breach("it \(result.text): \(held.list)"), of: driven.rawValue)
      }
    }
    return results
  }

  /// Connects the subjects of a role. If the adapter of `--sdk` fails, prints the `conform doctor` command that checks
  /// the adapter.
  private func plugIn(
    _ role: Role, _ subjects: Subjects, _ called: CalledSubject?, _ dialects: [Dialect]
  ) async throws -> Testbed {
    do {
      return try await subjects.plugIn(role, subjectOptions, called, dialects: dialects)
    } catch let failure as ProgramFailure {
      if let sdk = subjectOptions.sdk, failure.isOfAdapter {
        var words = Words([Program.called, "doctor"] + (try catalogueOptions.source().words))
        words.add("--sdk", sdk)
        words.add(subjectOptions.carrier.words)
        Terminal.error(.lines("conform: the adapter is at fault, not the SDK; check it with\n  \(words.line)\n"))
      }
      throw failure
    }
  }

  private func perform(
    _ plans: [(Role, Plan)], on testbeds: [Testbed], _ driving: [Role: RunRecord.Driving], _ redact: Redaction,
    _ reporter: RunReporter
  ) async throws -> ConformanceVerdict.ExitCode {
    var problem: FileProblem?
    do {
      for ((_, plan), testbed) in zip(plans, testbeds) where !Task.isCancelled && !reporter.isStopped {
        let participants = testbed.subjects.map { role, subject in
          var participant = RunRecord.Participant(role: role, subject: redact(subject), driving: driving[role])
          if let build = testbed.builds[role] { participant.build = redact(build) }
          return participant
        }
        let terms = try reporter.introduce(participants)
        let runner = testbed.runner(
          for: plan, by: Settlement(gate: gate, baseline: terms), jobs: subjectOptions.jobs(for: testbed))
        try await run(runner, for: reporter)
      }
    } catch let error as FileProblem {
      // The results so far still get a report, which lists the missing parts.
      problem = error
    }
    // The report contains how the subjects ended, so they are closed before it is finished.
    for testbed in testbeds { await testbed.close() }
    return try reporter.finish(wasInterrupted: Task.isCancelled || reporter.isStopped, stoppedBy: problem)
  }

  /// Runs a plan. The plan ends early after a signal, or when the limit of `--fail-fast` or `--max-hangs` is reached.
  private func run(_ runner: Runner, for reporter: RunReporter) async throws {
    let work = Task { _ = try await runner.run(for: reporter) }
    reporter.onStop { work.cancel() }
    try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }

  private func plans(for roles: [Role], _ catalogue: Catalogue, _ called: CalledSubject?) throws -> [(Role, Plan)] {
    var known: Set<CaseInstance> = []
    let plans = try roles.map { role in
      var plan = try Plan(catalogue: catalogue, selection: selection([role], catalogue, called))
      // A pair performs cases of its SDK, too. A case runs once in a run.
      plan.items.removeAll { !known.insert($0.instance).inserted }
      return (role, plan)
    }
    // A selection may contain cases of one role only. If it contains no cases at all, the run has one empty plan, and
    // every report says so.
    let asked = plans.filter { !$0.1.items.isEmpty }
    return asked.isEmpty ? Array(plans.prefix(1)) : asked
  }

  private func selection(_ roles: [Role], _ catalogue: Catalogue, _ called: CalledSubject?) -> Selection {
    var selection = selectionOptions.selection(roles)
    if called != nil { selection.dialects = dialects(catalogue, called) }
    return selection
  }

  /// The selected dialects. If none is selected, the dialect in the provisioning file or, if the file names none, the
  /// protocol's first dialect. This is a single dialect, because a server speaks only one.
  private func dialects(_ catalogue: Catalogue, _ called: CalledSubject?) -> [Dialect] {
    let named = selectionOptions.selection([]).dialects
    guard named.isEmpty else { return named }
    return called?.provisioning.dialect.map { [$0] } ?? Array(catalogue.definition.dialects.prefix(1))
  }

  /// The dialects whose cases are planned. An empty list means all dialects.
  private func planned(_ catalogue: Catalogue, _ called: CalledSubject?) -> [Dialect] {
    called == nil ? selectionOptions.selection([]).dialects : dialects(catalogue, called)
  }

  /// The time zone and the language in which the kit starts the programs under test; nil if the kit does not start
  /// them.
  private func locale(_ called: CalledSubject?) -> ProgramLocale? {
    let drawn = ProgramLocale.drawn(by: subjectOptions.seed)
    if let sdk = subjectOptions.sdk {
      guard subjectOptions.startsAdapter else { return nil }
      return (try? ProgramCommand(shellLike: sdk)).map(drawn.overridden)
    }
    return called.map { $0.provisioning.start != nil } ?? true ? drawn : nil
  }

  private func header(
    _ catalogue: Catalogue, _ source: ProtocolSource, _ plans: [(Role, Plan)], _ called: CalledSubject?,
    _ baseline: BaselineFile?, _ shard: RunRecord.Shard?
  ) -> RunRecord.Header {
    var words = Words(
      [Program.called, "run"] + source.words + subjectOptions.words + positionOptions.words)
    words.add("--gate", gate == .stated ? nil : gate.rawValue)
    words.add("--baseline", self.baseline)
    // A rerun must not overwrite the evidence of this run.
    let folder = String(output.reversed().drop { $0 == "/" }.reversed())
    words.add("--output", folder + "-rerun")
    let locale = locale(called)
    return RunRecord.Header(
      kit: Kit.name, protocolName: catalogue.definition.name, specRevision: catalogue.definition.revision,
      packDigest: catalogue.digest, startedAt: Timestamp.now.text, gate: gate, seed: subjectOptions.seed,
      timeZone: locale?.timeZone, language: locale?.language, clock: subjectOptions.clock,
      selection: selectionOptions.words, roles: plans.map(\.0), dialects: planned(catalogue, called),
      withoutPositions: positionOptions.switchedOff.map { PositionID($0) },
      baseline: baseline.map { .init(file: self.baseline ?? "", digest: $0.digest) }, jobs: 1,
      planned: plans.reduce(0) { $0 + $1.1.items.count },
      withoutCase: Plan.rulesWithoutCase(in: catalogue, selection(plans.map(\.0), catalogue, called)),
      leftOut: selection(plans.map(\.0), catalogue, called).leftOut(of: catalogue),
      extent: .init(of: catalogue.definition), shard: shard,
      rerun: SubjectVariables().prefix + words.line
    )
  }
}
