import ConformanceReport
import ConformanceVerdict
import Glibc
import Records

/// The time and the memory that the kit needs to turn a large record into JUnit XML.
struct JUnitSpeed {
  static let figure = "JUnit writer"

  /// The number of verdicts in the record. They result in about 30 MB of XML.
  private static let rulings = 6000

  func measurements() throws -> [Measurement] {
    let folder = try ScratchFolder()
    let xml = folder.path + "/junit.xml"
    let clock = ContinuousClock()
    let record = LargeRecord.make(rulings: Self.rulings)
    let report = try JUnitReport(record)
    let writing = try Cost { try report.write(to: xml) }
    let copying = try Cost { try Self.copy(xml, to: folder.path + "/copy.xml") }
    let megabytes = try Self.megabytes(of: xml)
    let file = folder.path + "/run.jsonl"
    try Self.store(record, at: file)
    let rendering = try clock.measure { try JUnitReport(RunRecord(readingFrom: file)).write(to: xml) }
    let copy = Measurement.Baseline(name: "a copy of the same bytes", value: megabytes / copying.seconds)
    return [
      Measurement(
        "\(Self.figure), \(Int(megabytes)) MB", megabytes / writing.seconds, "MB/s", against: copy,
        target: .atLeast(120)),
      Measurement(
        "\(Self.figure), from the file of the record", megabytes / rendering.seconds, "MB/s", against: copy,
        target: .atLeast(100)),
      Measurement(
        "\(Self.figure), growth of peak memory", writing.growth, "MB",
        against: .init(name: "the same copy", value: copying.growth), target: .below(4)),
      Measurement(
        "\(Self.figure), memory after it", writing.after, "MB",
        against: .init(name: "before it, with the record in memory", value: writing.before)),
    ]
  }

  /// The time and the memory of some work, in seconds and megabytes.
  private struct Cost {
    let seconds: Double
    let before: Double
    let after: Double
    let growth: Double

    init(of body: () throws -> Void) throws {
      try OwnMemory.forgetPeak()
      before = try OwnMemory.resident()
      seconds = try ContinuousClock().measure(body).seconds
      after = try OwnMemory.resident()
      growth = max(0, try OwnMemory.peak() - before)
    }
  }

  private static func store(_ record: RunRecord, at path: String) throws {
    let writer = try RunRecordWriter(path, header: record.header)
    for line in record.lines.dropFirst() { try writer.write(line) }
  }

  /// Copies a file in pieces of 64 KiB, the size of the pieces that the report writer uses.
  private static func copy(_ source: String, to target: String) throws {
    let (input, output) = (open(source, O_RDONLY), open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o644))
    defer { for file in [input, output] { close(file) } }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(input, &piece, piece.count)
      if count == 0 { return }
      guard count > 0, write(output, piece, count) == count else { throw BenchFailure(system: "copying \(source)") }
    }
  }

  private static func megabytes(of path: String) throws -> Double {
    var status = stat()
    guard stat(path, &status) == 0 else { throw BenchFailure(system: path) }
    return Double(status.st_size) / 1_000_000
  }
}
