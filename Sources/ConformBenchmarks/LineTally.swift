import Glibc

/// Counts the lines that an adapter is sent: this program, started in the adapter's place, hands them on.
///
/// The transcript shows the commands of a case. What the kit asks besides, such as to move the clock or to launch and quit
/// the app, goes the same way and costs as much.
struct LineTally {
  /// The first argument of the process.
  static let argument = "--tally"

  /// A file that gets a byte for each line, so that a kill at any moment loses none.
  private let file: String
  private let adapter: String

  init(of adapter: String, into file: String) {
    self.adapter = adapter
    self.file = file
  }

  /// What the arguments of the process say; nil where it is none of these.
  init?(_ arguments: ArraySlice<String>) {
    guard arguments.first == Self.argument, arguments.count == 3 else { return nil }
    self.init(of: arguments[arguments.startIndex + 2], into: arguments[arguments.startIndex + 1])
  }

  /// How many lines the adapter of a run gets.
  static func lines(of options: [String]) throws -> Int {
    let folder = try ScratchFolder()
    let tally = LineTally(of: try Conform.adapter(), into: folder.path + "/lines")
    let program = try Conform.benchmarks()
    let words = [program, argument, tally.file, tally.adapter].map { "'\($0)'" }.joined(separator: " ")
    _ = try Child.run(try Conform.path(), ["run", "--quiet", "--output", folder.path, "--sdk", words] + options)
    var facts = stat()
    guard stat(tally.file, &facts) == 0 else { throw BenchFailure("no line of '\(words)' was counted") }
    return facts.st_size
  }

  /// Hands lines on until the adapter ends.
  func serve() throws -> Int32 {
    let tally = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard tally >= 0 else { throw BenchFailure(system: "opening \(file)") }
    let input = try EchoProcess.pipe()
    // The adapter speaks to the kit itself; only what it is sent goes through here.
    let child = try Child(adapter, input: input.read, output: STDOUT_FILENO)
    close(input.read)
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var watched = [STDIN_FILENO, child.exit].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&watched, 2, -1) > 0, watched[1].revents == 0 {
      let count = read(STDIN_FILENO, &piece, piece.count)
      guard count > 0 else { break }
      let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: piece[..<count].count { $0 == UInt8(ascii: "\n") })
      guard write(tally, lines, lines.count) == lines.count, write(input.write, piece, count) == count else { break }
    }
    close(input.write)
    return child.wait().code ?? 1
  }
}
