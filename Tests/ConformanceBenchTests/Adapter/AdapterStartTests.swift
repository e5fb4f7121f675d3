import Foundation
import Testing

@testable import Adapters
@testable import Processes

/// Programs that cannot be started, and what a program that can be finds.
@Suite struct AdapterStartTests {
  private func failure(_ command: ProgramCommand) async -> ProgramFailure? {
    await #expect(throws: ProgramFailure.self) { try await AdapterSession.start(command) { _ in } }
  }

  @Test func saysWhyAProgramCannotBeStarted() async throws {
    let folder = try ScratchFolder()
    let plain = try folder.write("plain.py", "print()")
    let (orphan, garbage) = ("\(folder.path)/orphan.py", "\(folder.path)/garbage")
    // A shell writes what is to be run: while this process has a program open for writing, a child that another test is
    // starting may have it open too, and then it cannot be run.
    _ = try await errorOutput(
      ofShell:
        "cd \(folder.path) && echo '#!/no/such/interpreter' > orphan.py && echo x > garbage && chmod +x orphan.py garbage"
    )
    let expected = [
      ("no-such-program-here", "there is no program 'no-such-program-here' in PATH ("),
      (folder.path + "/absent", "the file '\(folder.path)/absent' does not exist"),
      (folder.path, "'\(folder.path)' is a folder"),
      (plain, "'\(plain)' is not executable: run chmod +x on it, or name its interpreter, as in 'python3 \(plain)'"),
      (orphan, "the interpreter that its first line names does not exist"),
      (garbage, "neither a program for this machine"),
    ]
    for (program, text) in expected {
      let failure = await failure(ProgramCommand(executable: program))
      #expect(failure?.kind == .start)
      #expect(failure?.text.contains(text) == true, "\(failure?.text ?? "")")
    }
    let long = await failure(
      ProgramCommand(executable: "/bin/true", arguments: [String(repeating: "x", count: 1 << 18)]))
    #expect(long?.text.contains("too long") == true)
  }

  @Test func looksInThePathOfTheCommand() async throws {
    let folder = try ScratchFolder()
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/my-adapter", withDestinationPath: "/bin/sh")
    let command = ProgramCommand(
      executable: "my-adapter", arguments: ["-c", "echo \"$1 $MODE\" >&2", "sh", "a b"],
      environment: ["PATH": "/nowhere:\(folder.path)", "MODE": "x y"])
    let observed = try await ObservedSession(command)
    _ = try await observed.session.ended()
    #expect(String(decoding: observed.output, as: UTF8.self) == "a b x y\n")
  }

  private func errorOutput(ofShell script: String) async throws -> String {
    let observed = try await ObservedSession(ProgramCommand(executable: "/bin/sh", arguments: ["-c", script]))
    #expect(try await observed.session.ended() == AdapterEnding(cause: .itself, exit: .exited(code: 0)))
    return String(decoding: observed.output, as: UTF8.self)
  }

  @Test func inheritsNoDescriptor() async throws {
    let leak = dup(0)
    defer { close(leak) }
    #expect(fcntl(leak, F_GETFD) & FD_CLOEXEC == 0)
    #expect(
      try await errorOutput(ofShell: "echo /proc/self/fd/* >&2")
        == "/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\n")
  }

  @Test func hasDefaultDispositionsAndNothingBlocked() async throws {
    ignoreBrokenPipes()
    let status = try await errorOutput(ofShell: "exec grep -E 'SigBlk|SigIgn' /proc/self/status >&2")
    let masks = status.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0, radix: 16) }
    // Of the two signals that threads use among themselves, glibc leaves nothing to its callers.
    #expect(masks.map { $0 & 0x7FFF_FFFF } == [0, 0], "\(status)")
  }

  @Test func leadsItsOwnSession() async throws {
    let observed = try await ObservedSession(ProgramCommand(executable: "/bin/cat"))
    #expect(getsid(observed.session.processID) == observed.session.processID)
    #expect(getpgid(observed.session.processID) == observed.session.processID)
    await observed.session.kill()
    observed.expectNothingLeft()
  }
}
