import Foundation
import Programs
import Testing

/// The command as users run it: in a folder of its own, without a terminal.
struct Command {
  /// The result of one call of the command.
  struct Result {
    var code: Int32
    var output: String
    var errors: String
  }

  /// The folder with the executables of the build: beside the tests, or in `CONFORM_BUILD`.
  static let buildFolder: String = {
    if let folder = ProcessInfo.processInfo.environment["CONFORM_BUILD"] { return folder }
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: program).deletingLastPathComponent().path
  }()

  let folder: Scratch

  init(in folder: Scratch) { self.folder = folder }

  /// Runs `conform` with these arguments to its end.
  func callAsFunction(_ arguments: String...) async throws -> Result { try await run(arguments) }

  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
    try await result(of: Self.buildFolder + "/conform", arguments, environment)
  }

  /// Runs a line in a shell that finds `conform`.
  func shell(_ line: String) async throws -> Result {
    let path = Self.buildFolder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    return try await result(of: "/bin/sh", ["-c", line], ["PATH": path])
  }

  private func result(
    of program: String, _ arguments: [String], _ environment: [String: String]
  ) async throws -> Result {
    await Turnstile.commands.enter()
    do {
      let result = try await whole(program, arguments, environment)
      await Turnstile.commands.leave()
      return result
    } catch {
      await Turnstile.commands.leave()
      throw error
    }
  }

  private func whole(_ program: String, _ arguments: [String], _ environment: [String: String]) async throws -> Result {
    let names = (0..<2).map { _ in ".stream-\(UUID().uuidString)" }
    let program = try started(program, arguments, environment, output: .file(names[0]), errors: .file(names[1]))
    let ending = await program.ending
    guard case .exited(let code) = ending else { throw Died(ending: ending, errors: try folder.text(names[1])) }
    return Result(code: code, output: try folder.text(names[0]), errors: try folder.text(names[1]))
  }

  /// The process did not exit normally.
  struct Died: Error {
    var ending: StartedProgram.Ending
    var errors: String
  }

  /// The destination of a stream.
  enum Stream {
    case nowhere
    /// A new file below the folder.
    case file(String)
    case pipe(Pipe)
  }

  /// Starts `conform` with these arguments, for a test that acts while it runs.
  func start(_ arguments: [String], output: Stream = .nowhere, errors: Stream = .nowhere) throws -> StartedProgram {
    try started(Self.buildFolder + "/conform", arguments, [:], output: output, errors: errors)
  }

  private func started(
    _ program: String, _ arguments: [String], _ environment: [String: String], output: Stream, errors: Stream
  ) throws -> StartedProgram {
    let variables = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.storage]) { _, own in own }
      .merging(environment) { _, own in own }
    let streams = try [output, errors].map(opened)
    defer { for stream in streams { try? stream.close() } }
    return try StartedProgram(
      path: program, arguments: arguments, environment: variables, folder: folder.path,
      output: streams[0].fileDescriptor, errors: streams[1].fileDescriptor)
  }

  private func opened(_ stream: Stream) throws -> FileHandle {
    switch stream {
    case .nowhere: return try FileHandle(forWritingTo: URL(filePath: "/dev/null"))
    case .pipe(let pipe): return pipe.fileHandleForWriting
    case .file(let name):
      try folder.write(name, "")
      return try FileHandle(forWritingTo: URL(filePath: folder.file(name)))
    }
  }
}

/// Limits the number of concurrent commands. A command runs its cases in parallel itself, so with a hundred at a time
/// none would get a processor soon enough for a subject with limits.
actor Turnstile {
  static let commands = Turnstile(4)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ free: Int) { self.free = free }

  func enter() async {
    guard free == 0 else { return free -= 1 }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    guard waiting.isEmpty else { return waiting.removeFirst().resume() }
    free += 1
  }
}

/// A folder for the files of one test. It is removed with its last reference.
final class Scratch: Sendable {
  let path: String
  /// The storage of its commands. In a shared folder one of them would remove what a killed run of another test has
  /// left, and report that.
  let storage: String

  init() throws {
    let name = "conform-\(UUID())"
    path = FileManager.default.temporaryDirectory.appending(path: name).path
    let memory = "/dev/shm"
    storage = FileManager.default.isWritableFile(atPath: memory) ? "\(memory)/\(name)" : "\(path)-storage"
    for folder in [path, storage] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
  }

  deinit { for folder in [path, storage] { try? FileManager.default.removeItem(atPath: folder) } }

  func file(_ name: String) -> String { "\(path)/\(name)" }
  func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }
  func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: URL(filePath: file(name))) }
  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

  /// The sorted names in a folder, without those of the streams.
  func names(in folder: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file(folder)).filter { !$0.hasPrefix(".stream-") }.sorted()
  }
}
