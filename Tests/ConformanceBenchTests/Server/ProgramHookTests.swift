import ConformanceModel
import ConformanceProvisioning
import ConformanceTranscript
import ConformanceWire
import Foundation
import JSONKit
import Templates
import Testing

@testable import Subjects

/// Hooks that are programs: what they get, what they give, and how they are ended.
@Suite struct ProgramHookTests {
  private func hook(_ words: [String], limit: LogicalTime = .seconds(60), folder: String = "/") throws -> any ServerHook
  {
    var provisioning = Provisioning(values: ["key": "k1"])
    provisioning.hooks["make"] = .init(.program(words.map { template(.string($0)) }), timeLimit: limit)
    let server = try ServerUnderTest(
      urls: ["main": "http://host:1/"], provisioning: provisioning, folder: folder, client: WireClient())
    return try #require(server.hooks["make"])
  }

  private func message(_ outcome: CommandOutcome) -> String {
    guard case .error(let error) = outcome, error.kind == CommandError.hookFailed else { return "\(outcome)" }
    return error.message ?? ""
  }

  @Test func itGetsItsParametersAndGivesItsResult() async throws {
    let hook = try hook(["sh", "-c", "cat; echo ignored >&2"])
    let params: JSON.Object = ["a": [1.5, "ü\n"], "b": .null]
    #expect(await hook.perform(params) == .result(.object(params)))
  }

  @Test func itsArgumentsAreTemplates() async throws {
    let hook = try hook(["sh", "-c", "printf '\"%s|%s|%s\"' \"$@\"", "sh", "${code}", "${key}", "${server.url}"])
    #expect(await hook.perform(["code": "a b;c"]) == .result("a b;c|k1|http://host:1"))
  }

  @Test func itRunsInTheFolderOfItsFile() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hook-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // A link, since the system does not start a file that this process, or one that it starts meanwhile, has open for writing.
    try FileManager.default.createSymbolicLink(atPath: folder + "/make", withDestinationPath: "/bin/cat")
    try Data("\"here\"".utf8).write(to: URL(filePath: folder + "/note"))
    #expect(await (try hook(["./make", "note"], folder: folder)).perform([:]) == .result("here"))
  }

  @Test(arguments: [
    ("true", "null"), ("printf ' \\n'", "null"), ("echo '{\"a\": 1}'", "{\"a\":1}"),
    // It need not read what it does not want, however much that is.
    ("exec 0<&-; echo 1", "1"),
  ])
  func whatItWritesIsTheResult(script: String, result: String) async throws {
    let long = JSON.string(String(repeating: "x", count: 300_000))
    let outcome = await (try hook(["sh", "-c", script])).perform(["long": long])
    #expect(outcome.view.compactText == result)
  }

  @Test(arguments: [
    ("echo why >&2; exit 3", "'sh' exited with code 3; stderr: why"),
    ("kill -9 $$", "'sh' died of signal 9"),
    ("echo hello", "'sh' wrote a result that is not JSON"),
    ("echo '{} {}'", "'sh' wrote a result that is not JSON"),
    ("exec yes", "'sh' wrote more than 1 MiB and was killed"),
  ])
  func whatGoesWrongIsAnErrorThatSaysWhy(script: String, says: String) async throws {
    let told = message(await (try hook(["sh", "-c", script])).perform([:]))
    #expect(told.contains(says), "\(told)")
  }

  /// The children of a program that is late hold its stdout and ignore SIGTERM; they end with it.
  @Test func itEndsWithAllItStartedWhenItsTimeIsOver() async throws {
    let script = "trap '' TERM; sleep 1000 & echo $! >&2; sleep 1000 & echo $! >&2; wait"
    let told = message(await (try hook(["sh", "-c", script], limit: .seconds(2))).perform([:]))
    #expect(told.contains("'sh' did not end within 2.0 seconds and was killed"), "\(told)")
    let ids =
      told.components(separatedBy: "stderr: ").last?.components(separatedBy: " | ").compactMap { pid_t($0) } ?? []
    #expect(ids.count == 2)
    for id in ids { #expect(kill(id, 0) == -1 && errno == ESRCH) }
  }

  @Test func itEndsWithItsCase() async throws {
    let hook = try hook(["sh", "-c", "sleep 1000"])
    let task = Task { await hook.perform([:]) }
    task.cancel()
    #expect(message(await task.value).contains("was killed because the case is over"))
  }

  @Test(arguments: [
    ("no-such-program-anywhere", "there is no program 'no-such-program-anywhere' in PATH"),
    ("./missing", "the file '/nowhere/./missing' does not exist"),
  ])
  func aProgramThatIsNotThereIsToldBeforeTheRun(program: String, says: String) throws {
    let problem = #expect(throws: ProvisioningProblem.self) { _ = try hook([program], folder: "/nowhere") }
    #expect(
      problem?.description.contains("the hook of make cannot be run: \(says)") == true, "\(String(describing: problem))"
    )
  }

  @Test func aProgramWhoseNameIsKnownLateIsToldWhenItIs() async throws {
    #expect(message(await (try hook(["${code}"])).perform(["code": "no-such-program-anywhere"])).contains("no program"))
  }
}
