import ArgumentParser
import Glibc

/// Gives mutated real inputs to each function of the kit that reads untrusted bytes (a reader), for a limited time.
/// Stops at the first input that ends the process, or that violates a property of the reader.
@main
struct ConformFuzz: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conform-fuzz", abstract: "Drives the readers of the kit with mutated inputs.")

  @Argument(help: "The seconds for all readers together; 0 reads the corpus only.")
  var seconds: Int

  @Argument(help: "One reader. The default is all readers.")
  var reader: String?

  @Option(help: "The same seed makes the same inputs.")
  var seed: UInt64 = 1

  @Option(help: "The folder with the repository.")
  var root = "."

  func validate() throws {
    guard seconds >= 0 else { throw ValidationError("expected a number of seconds, found \(seconds)") }
  }

  func run() async throws {
    let all = try await FuzzedReader.all(root: root)
    let chosen = reader.map { name in all.filter { $0.name == name } } ?? all
    guard !chosen.isEmpty else {
      throw ValidationError("unknown reader '\(reader ?? "")'; there are \(all.map(\.name).joined(separator: ", "))")
    }
    print("reader           inputs       per s    corpus   (seed \(seed))")
    for reader in chosen {
      let session = try FuzzSession(reader, root: root, seed: seed)
      print(try await session.run(for: .seconds(seconds) / chosen.count))
      fflush(nil)
    }
  }
}
