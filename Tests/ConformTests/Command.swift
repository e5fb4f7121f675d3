import Foundation
import Testing

/// The command as its users have it: run in a folder of its own, with nobody at a terminal.
struct Command {
  /// What one call of the command came to.
  struct Result {
    var code: Int32
    var output: String
    var errors: String
  }

  /// Where the executables of the build lie: beside the tests, or where `CONFORM_BUILD` says.
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
    try await end(of: prepared(arguments, environment: environment))
  }

  /// Runs a line as somebody would paste it into a shell that finds `conform`.
  func shell(_ line: String) async throws -> Result {
    let path = Self.buildFolder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    let process = prepared(["-c", line], environment: ["PATH": path])
    process.executableURL = URL(filePath: "/bin/sh")
    return try await end(of: process)
  }

  private func end(of process: Process) async throws -> Result {
    await Turnstile.commands.enter()
    do {
      let result = try await whole(process)
      await Turnstile.commands.leave()
      return result
    } catch {
      await Turnstile.commands.leave()
      throw error
    }
  }

  private func whole(_ process: Process) async throws -> Result {
    let names = (0..<2).map { _ in ".stream-\(UUID().uuidString)" }
    for name in names { try folder.write(name, "") }
    let streams = try names.map { try FileHandle(forWritingTo: URL(filePath: folder.file($0))) }
    process.standardOutput = streams[0]
    process.standardError = streams[1]
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    #expect(process.terminationReason == .exit)
    return Result(
      code: process.terminationStatus, output: try folder.text(names[0]), errors: try folder.text(names[1]))
  }

  /// The process, not yet begun.
  func prepared(_ arguments: [String], environment: [String: String] = [:]) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: Self.buildFolder + "/conform")
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.storage]) { _, own in own }
      .merging(environment) { _, own in own }
    process.standardInput = FileHandle.nullDevice
    return process
  }
}

/// Lets so many through at once. A command runs its cases side by side itself: of a hundred at a time none would have its
/// turn soon enough for a subject that is waited for.
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

/// A folder for the files of one test, gone with it.
final class Scratch: Sendable {
  let path: String
  /// Where its commands store: else one of them would clear what another test has killed, and say so.
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

  /// The names in a folder, sorted, without those of the streams.
  func names(in folder: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file(folder)).filter { !$0.hasPrefix(".stream-") }.sorted()
  }
}
