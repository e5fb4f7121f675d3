import CLinux
import Files
import Glibc
import Records

/// Runs one reader with its corpus, then with mutated inputs.
struct FuzzSession {
  /// The reason why the session stopped: an input violates the reader's property, or the reader has no inputs.
  struct Found: Error, CustomStringConvertible {
    let description: String
  }

  private let reader: FuzzedReader
  private let corpus: [[UInt8]]
  private let seed: UInt64
  private let root: String

  init(_ reader: FuzzedReader, root: String, seed: UInt64) throws {
    self.reader = reader
    self.seed = seed
    self.root = root
    // Inputs that failed once are tried first, in every session.
    let found = try Self.files(in: "\(root)/Tests/Fuzz/found").filter { $0.contains("/\(reader.name)-") }
    let paths =
      try found + Self.files(in: "\(root)/Tests/Fuzz/\(reader.name)") + reader.realInputs.map { "\(root)/\($0)" }
    corpus = try paths.map { try InputFile.contents(of: $0, atMost: 1 << 20) } + reader.inputs
    guard !corpus.isEmpty else {
      throw Found(description: "no input for '\(reader.name)' in Tests/Fuzz/\(reader.name)")
    }
  }

  /// Runs the reader for the given time. Returns a line of the table: the reader, the number of inputs, the inputs per
  /// second, and the size of the corpus.
  func run(for time: Duration) async throws -> String {
    let clock = ContinuousClock()
    let start = clock.now
    Guard.arm(foundAt: "\(root)/Tests/Fuzz/found/\(reader.name)-\(seed)")
    var count = 0
    for bytes in corpus {
      try await read(bytes)
      count += 1
    }
    var mutator = Mutator(
      seed: seed, corpus: corpus.map { Array($0.prefix(Mutator.maximumSize)) }, tokens: reader.tokens)
    while clock.now - start < time {
      try await read(mutator.next())
      count += 1
    }
    let taken = (clock.now - start) / .seconds(1)
    let cells = [
      (reader.name, 14), ("\(count)", -9), ("\(Int(Double(count) / max(taken, 0.001)))", -12), ("\(corpus.count)", -10),
    ]
    return cells.map(Self.padded).joined()
  }

  private func read(_ bytes: [UInt8]) async throws(Found) {
    Guard.begin(bytes)
    defer { Guard.end() }
    do throws(FuzzedReader.Violation) {
      try await reader.read(bytes)
    } catch {
      Guard.keep()
      throw Found(description: "\(reader.name): \(error); the input is Tests/Fuzz/found/\(reader.name)-\(seed)")
    }
  }

  /// Pads a text with spaces at its end. If the width is negative, the spaces come before the text.
  private static func padded(_ text: String, _ width: Int) -> String {
    let space = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? space + text : text + space
  }

  /// The paths of the files directly in a folder, sorted by name.
  private static func files(in folder: String) throws -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = String(cString: clinux_entry_name(entry))
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted().map { "\(folder)/\($0)" }
  }
}
