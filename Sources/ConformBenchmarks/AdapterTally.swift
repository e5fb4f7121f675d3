import FoundationEssentials
import Glibc

/// Counts how often an adapter is started, and how many lines it receives. The kit starts this program in place of the
/// adapter, and this program forwards the lines to the adapter.
///
/// Transcripts contain only the restarts and the commands of cases. The kit also starts each process once, and sends
/// further commands such as `launch` and `advance`. These starts and commands cost as much as those in transcripts, so
/// this program counts them too.
struct AdapterTally {
  struct Counts {
    var starts = 0
    var lines = 0
  }

  /// The first argument of this program if it is started to count.
  static let argument = "--tally"

  private static let (start, line) = (UInt8(ascii: "s"), UInt8(ascii: "l"))

  /// The path of a file to which one byte is added for each start and each line. So a kill at any moment loses no
  /// count.
  private let file: String
  private let adapter: String

  init(of adapter: String, into file: String) {
    self.adapter = adapter
    self.file = file
  }

  /// Parses the arguments of this program; nil if it was not started to count.
  init?(_ arguments: ArraySlice<String>) {
    guard arguments.first == Self.argument, arguments.count == 3 else { return nil }
    self.init(of: arguments[arguments.startIndex + 2], into: arguments[arguments.startIndex + 1])
  }

  /// The number of starts of the adapter, and the number of lines that it receives, in a run with these options.
  static func counts(of options: [String]) throws -> Counts {
    let folder = try ScratchFolder()
    let tally = AdapterTally(of: try Conform.adapter(), into: folder.path + "/tally")
    let program = try Conform.benchmarks()
    let words = [program, argument, tally.file, tally.adapter].map { "'\($0)'" }.joined(separator: " ")
    let run = ["run", "--quiet", "--output", folder.path, "--sdk", words] + options
    guard try Child.run(try Conform.path(), run).0.code == 0 else {
      throw BenchFailure("the run whose lines are counted is not conformant: 'conform \(run.joined(separator: " "))'")
    }
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: tally.file)))
    return Counts(starts: bytes.count { $0 == Self.start }, lines: bytes.count { $0 == Self.line })
  }

  /// Forwards lines until the adapter ends. Returns the exit code.
  func serve() throws -> Int32 {
    let tally = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard tally >= 0, write(tally, [Self.start], 1) == 1 else { throw BenchFailure(system: "writing to \(file)") }
    let input = try EchoProcess.pipe()
    // The adapter writes to the kit directly; only its input goes through this process.
    let child = try Child(adapter, input: input.read, output: STDOUT_FILENO)
    close(input.read)
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var watched = [STDIN_FILENO, child.exit].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&watched, 2, -1) > 0, watched[1].revents == 0 {
      let count = read(STDIN_FILENO, &piece, piece.count)
      guard count > 0 else { break }
      let lines = [UInt8](repeating: Self.line, count: piece[..<count].count { $0 == UInt8(ascii: "\n") })
      guard write(tally, lines, lines.count) == lines.count, write(input.write, piece, count) == count else { break }
    }
    close(input.write)
    return child.wait().code ?? 1
  }
}
