import FoundationEssentials

/// The cost of certificates: the size of a bundle, the time and memory of its verification, and the time of a check of
/// a registry.
///
/// The large bundle contains a run of the reference SDK in all dialects. The bundles in the registry are smaller: each
/// contains a run in one dialect, and the tier `community` of their certificates demands no other dialect.
struct CertificateCost {
  static let figure = "certificates"

  /// The targets apply to a registry with this number of certificates, and to a bundle with this number of transcripts.
  private static let (certificates, transcripts) = (200, 6000)
  /// The benchmark makes only this number of certificates, and multiplies the measured time to estimate the time for
  /// ``certificates``.
  private static let made = 4
  /// The time limit for each command of this benchmark.
  private static let patience = Duration.seconds(900)

  private let folder: ScratchFolder
  private let start: Measurement.Baseline
  private var key: String { "\(folder.path)/key.pem" }
  private var publicKey: String { "\(folder.path)/key.pub" }

  init() throws {
    folder = try ScratchFolder()
    start = .init(name: "conform --version", value: try Child.run(Conform.path(), ["--version"]).1.seconds)
  }

  func measurements() throws -> [Measurement] {
    _ = try run(["key", "new", key])
    _ = try run(["key", "public", key, "--output", publicKey])
    return try ofOneBundle() + ofARegistry()
  }

  private func ofOneBundle() throws -> [Measurement] {
    let report = try report("large", [])
    let bundle = try bundle("large", of: report)
    let count = try FileManager.default.contentsOfDirectory(atPath: "\(report)/evidence").count
    let scale = Double(Self.transcripts) / Double(count)
    let verified = try run(["verify", bundle, "--key", publicKey])
    _ = try Child.run("gzip", ["-k", bundle], within: Self.patience)
    let size = Measurement.Baseline(name: "the bundle", value: try megabytes(bundle))
    return [
      figure("verify, scaled from \(count) to \(Self.transcripts) transcripts", verified.wall * scale, below: 10),
      Measurement(
        "\(Self.figure), peak memory of verify", verified.ending.peakMegabytes, "MB", against: size,
        target: .below(300)),
      Measurement(
        "\(Self.figure), size of the compressed bundle", try megabytes(bundle + ".gz") * scale, "MB", against: size,
        target: .below(15)),
    ]
  }

  private func ofARegistry() throws -> [Measurement] {
    let report = try report("small", ["--dialect", "spec"])
    let bundles = try (0..<Self.made).map { try bundle("\($0)", of: report) }
    let verified = try run(["verify", bundles[0], "--key", publicKey])
    let registry = "\(folder.path)/registry"
    _ = try run(["registry", "init", registry, "--key", publicKey])
    for bundle in bundles { _ = try run(["registry", "add", registry, bundle]) }
    let checked = try run(["registry", "check", registry])
    // The measured time includes the start of the program. So the estimate may be too high, but never too low.
    let wall = checked.wall * Double(Self.certificates) / Double(Self.made)
    // The first certificate also pays for the start of the program and for the catalogue.
    let processor = (checked.ending.processor - verified.ending.processor) / Double(Self.made - 1)
    return [
      figure("registry check, scaled from \(Self.made) to \(Self.certificates) certificates", wall, below: 60),
      figure("registry check, processor time of a further certificate", processor, below: 0.5),
    ]
  }

  /// Runs the reference SDK. Returns the folder of the report.
  private func report(_ name: String, _ options: [String]) throws -> String {
    let path = "\(folder.path)/\(name)-report"
    _ = try run(["run", "--quiet", "--role", "sdk", "--output", path] + options)
    return path
  }

  /// Makes a bundle of a run, and returns its path. The issuer of the bundle has this name.
  private func bundle(_ name: String, of report: String) throws -> String {
    let bundle = "\(folder.path)/\(name).conformance.tar"
    let attests = ["package", "example", "ci", "quickstart"].flatMap { ["--attest", "\($0)=benchmark"] }
    _ = try run(
      ["certify", "--tier", "community", "--record", "\(report)/run.jsonl", "--key", key, "--output", bundle]
        + ["--issuer", name] + attests)
    return bundle
  }

  private func run(_ words: [String]) throws -> (wall: Double, ending: Child.Ending) {
    let (ending, wall) = try Child.run(Conform.path(), words, within: Self.patience)
    guard ending.code == 0 else {
      let code = ending.code.map(String.init) ?? "a signal"
      throw BenchFailure("'conform \(words.prefix(3).joined(separator: " ")) …' ended with \(code)")
    }
    return (wall.seconds, ending)
  }

  private func figure(_ name: String, _ seconds: Double, below limit: Double) -> Measurement {
    Measurement("\(Self.figure), \(name)", seconds, "s", against: start, target: .below(limit))
  }

  private func megabytes(_ path: String) throws -> Double {
    try Double(Data(contentsOf: URL(filePath: path)).count) / 1_000_000
  }
}
