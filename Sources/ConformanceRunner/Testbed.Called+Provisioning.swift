import Concurrency
import ConformanceModel
import ConformanceProvisioning
import ConformanceTranscript
import ConformanceWire
import Processes
import Recording
import Subjects

extension Testbed.Called {
  /// A subject that already runs, or that the kit starts as the provisioning file describes.
  ///
  /// A subject that calls no service serves any number of cases at the same time. A subject that calls the kit receives
  /// the kit's addresses when it starts, so it serves one case at a time. The file decides how many processes of such a
  /// subject the kit starts.
  ///
  /// - Parameters:
  ///  - urls: the base URL of each service.
  ///  - folder: the folder of the file. Its programs run in this folder.
  ///   - locale: the time zone and the language of the program; nil for the time zone and the language of the kit.
  ///   - obtained: receives the secrets that the log-in requests of the file obtain.
  ///   - tls: the TLS implementation for a subject whose file passes on the authority of the run.
  /// - Throws: ``ProvisioningProblem``, or ``ProgramFailure`` if a program cannot be started.
  package static func lent(
    _ role: Role, by provisioning: Provisioning, urls: [ServiceName: String], folder: String,
    client: WireClient = WireClient(limits: Testbed.serverLimits), catalogue: Catalogue, dialects: [Dialect],
    tls: (any ServerTLS)? = nil, obtained: ObtainedSecrets? = nil, locale: ProgramLocale? = nil
  ) async throws -> Testbed.Called {
    let ports = catalogue.definition.ports(of: role)
    let client = client.limited(to: Testbed.limits(for: provisioning))
    let casesPerCore = provisioning.casesPerCore
    let subject = { (server: ServerUnderTest) in
      let places = server.addresses.sorted { $0.key < $1.key }.map(\.value.endpoint.authority)
      // The kit chooses the ports of its programs, so an address would give the subject a different name in each run.
      let name = provisioning.start.map { "\(role) started as \($0.programName)" }
      return Subject(
        name: name ?? "\(role) at \(places.joined(separator: ", "))", version: "unknown",
        capabilities: Testbed.capabilities(of: [server], role, catalogue))
    }
    guard provisioning.start != nil || !ports.upstream.isEmpty else {
      let server = try await ServerUnderTest.prepared(
        urls: urls, provisioning: provisioning, folder: folder, client: client, obtained: obtained)
      return Testbed.Called(
        subject: subject(server), source: .shared { dialects.contains($0) ? server : nil }, client: client,
        casesPerCore: casesPerCore)
    }
    let maker = SlotMaker(
      catalogue: catalogue, role: role, provisioning: provisioning, urls: urls, folder: folder, client: client,
      tls: tls, obtained: obtained, locale: locale)
    // The first slot shows whether slots can be made: its errors are reported before anything is written.
    let first = try await maker.make(isFirst: true)
    let spare = LockedValue<Slot?>(first)
    let make: @Sendable () async throws -> Slot = {
      if let slot = spare.take() { return slot }
      return try await maker.make()
    }
    let source: SlotPool.Source =
      ports.upstream.isEmpty
      ? .process(dialects, make: make)
      : .slots(count: provisioning.start == nil ? 1 : provisioning.slots, make: make)
    return Testbed.Called(
      subject: subject(first.server), source: source, client: client, casesPerCore: casesPerCore,
      release: { if let slot = spare.take() { await slot.close() } })
  }
}

extension Provisioning.Start {
  /// The file name of the program, and the words before its first long option, such as `python3 backend.py`. Options
  /// are left out, since they may contain addresses and secrets.
  var programName: String {
    let words = program.map(\.source.string).prefix { $0.map { !$0.hasPrefix("--") && !$0.contains("${") } ?? false }
    let names = words.compactMap(\.self).filter { !$0.hasPrefix("-") }
    let files = names.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return files.isEmpty ? "a program" : files.joined(separator: " ")
  }
}

extension Provisioning {
  /// The number of cases that run at the same time for each core of the machine. It is lower if a hook is a program.
  /// The kit then starts a process for each command, and on a busy machine a hook could exceed its time limit.
  fileprivate var casesPerCore: Int {
    let hasPrograms = hooks.values.contains { if case .program = $0.action { true } else { false } }
    return hasPrograms ? 2 : 8
  }
}

extension LockedValue<Slot?> {
  /// Removes and returns the slot. Later callers get nil.
  fileprivate func take() -> Slot? {
    var taken: Slot?
    change { value in
      taken = value
      value = nil
    }
    return taken
  }
}
