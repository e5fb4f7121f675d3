import CLinux
import Foundation
import Testing

@testable import Processes

/// A supervisor serves one program after the other, like a new one.
///
/// Each test runs in a process of its own, since all programs of a process share supervisors.
@Suite struct SupervisorTests {
  /// A program of the shell, and its supervisor.
  private struct Shell {
    let child: ChildProcess
    private let first: String

    /// Starts the program, and waits until it has printed the id of its parent.
    init(_ script: String) throws {
      child = try ChildProcess.start(
        ProgramCommand(executable: "/bin/sh", arguments: ["-c", "echo $PPID\n\(script)"]))
      first = try Self.line(of: child)
    }

    /// Waits for the next line of its output.
    func line() throws -> String { try Self.line(of: child) }

    /// Writes a line to its input.
    func tell(_ text: String) throws {
      let line = Array((text + "\n").utf8)
      try #require(write(child.input, line, line.count) == line.count)
    }

    private static func line(of child: ChildProcess) throws -> String {
      var text: [UInt8] = []
      var byte: UInt8 = 0
      while byte != UInt8(ascii: "\n") {
        var entry = pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)
        try #require(poll(&entry, 1, 60_000) == 1 && read(child.output, &byte, 1) == 1)
        text.append(byte)
      }
      return String(decoding: text.dropLast(), as: UTF8.self)
    }

    var supervisor: pid_t { pid_t(first) ?? 0 }

    /// Waits for its end, and returns its ending.
    func end(atOnce: Bool = false) -> ChildProcess.Ending {
      var entry = pollfd(fd: child.exit, events: Int16(POLLIN), revents: 0)
      if !atOnce { poll(&entry, 1, 60_000) }
      defer { for file in [child.exit, child.input, child.output, child.errors] { close(file) } }
      return child.reap(atOnce: atOnce)
    }
  }

  private static func parent(of process: pid_t) throws -> pid_t {
    let stat = try #require(fopen("/proc/\(process)/stat", "r"))
    defer { fclose(stat) }
    var line = [CChar](repeating: 0, count: 1024)
    try #require(fgets(&line, Int32(line.count), stat) != nil)
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return try #require(text.split(separator: " ").dropFirst(3).first.flatMap { pid_t($0) })
  }

  /// The number of descriptors of a process, of the kinds that programs and supervisors need. The runtime may open
  /// others at any time.
  private static func descriptors(of process: pid_t) throws -> Int {
    let folder = "/proc/\(process)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }.filter { link in
      ["pipe:", "socket:", "anon_inode:[pidfd", "anon_inode:[signalfd"].contains { link.hasPrefix($0) }
    }
    .count
  }

  private static var descendants: Int32 {
    var found = [clinux_process](repeating: clinux_process(), count: 100)
    return clinux_descendants(getpid(), &found, 100)
  }

  @Test func programsFollowEachOther() async {
    await #expect(processExitsWith: .success) {
      let first = try Shell("exit 3")
      #expect(first.end().exit == .exited(code: 3))
      let second = try Shell("kill -TERM $$")
      #expect(second.end().exit == .signalled(15))
      let third = try Shell("exec sleep 600")
      #expect(third.end(atOnce: true).exit == .signalled(9))
      #expect(Set([first, second, third].map(\.supervisor)).count == 1)
    }
  }

  /// The descriptors, the signals and the session of a program that waits for a line.
  private static func state(of process: pid_t) throws -> [String] {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8).split(separator: "\n")
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").sorted()
      + status.filter { line in ["SigBlk", "SigIgn", "SigCgt", "NSpgid", "NSsid"].contains { line.hasPrefix($0) } }
      .map { String($0).replacing("\t\(process)", with: " itself") }
  }

  @Test func aLaterProgramGetsWhatTheFirstOneGot() async {
    await #expect(processExitsWith: .success) {
      let states = try (0..<3).map { _ in
        let shell = try Shell("exec cat")
        defer { _ = shell.end(atOnce: true) }
        // A program that repeats the line has replaced the shell, and has loaded all its libraries.
        try #require(write(shell.child.input, "x\n", 2) == 2)
        _ = try shell.line()
        return try Self.state(of: shell.child.id)
      }
      #expect(states[0].prefix(3) == ["0", "1", "2"] && states[0].contains("NSsid: itself"))
      #expect(Set(states).count == 1)
    }
  }

  @Test func programsAtOnceHaveTheirOwn() async {
    await #expect(processExitsWith: .success) {
      let shells = try (0..<3).map { _ in try Shell("exec sleep 600") }
      let supervisors = Set(shells.map(\.supervisor))
      #expect(supervisors.count == 3)
      for shell in shells { _ = shell.end(atOnce: true) }
      let next = try (0..<3).map { _ in try Shell("exec sleep 600") }
      #expect(Set(next.map(\.supervisor)) == supervisors)
    }
  }

  @Test func whatAProgramLeavesIsItsOwn() async {
    await #expect(processExitsWith: .success) {
      let first = try Shell("setsid sleep 601 >/dev/null 2>&1 & exit 0").end()
      let second = try Shell("exit 0").end()
      let third = try Shell("sleep 602 & exit 0").end()
      #expect([first, second, third].map(\.leftovers) == [["sleep 601"], [], ["sleep 602"]])
      #expect([first, second, third].allSatisfy { $0.exit == .exited(code: 0) })
    }
  }

  /// A child is listed with the thread that started it.
  @Test func whatAThreadStartedIsFound() async {
    await #expect(processExitsWith: .success) {
      let begin = Supervision.Instant.now
      usleep(50_000)
      let shell = try Shell(
        """
        exec python3 -S -E -c 'import subprocess, threading
        def start():
            process = subprocess.Popen(["sleep", "603"])
            print("started", flush=True)
            process.wait()
        thread = threading.Thread(target=start)
        thread.start()
        thread.join()'
        """)
      #expect(try shell.line() == "started")
      #expect(shell.child.endLeftovers(since: begin) == ["sleep 603"])
      _ = shell.end(atOnce: true)
    }
  }

  /// Waits until the last child has become its program: before, it has the name of the shell.
  private static let become = "until read name < /proc/$!/comm && [ $name = sleep ]; do :; done"

  /// A program that was alone before may start a child, which may leave its session.
  @Test(arguments: ["sleep 605 & \(become)", "(sleep 605 & \(become))", "setsid sleep 605 & \(become)"])
  func whatIsStartedLaterIsFound(script: String) async {
    await #expect(processExitsWith: .success) { [script] in
      let begin = Supervision.Instant.now
      usleep(50_000)
      let shell = try Shell("while read line; do eval \"$line\"; done")
      for _ in 0..<3 {
        #expect(shell.child.endLeftovers(since: begin).isEmpty)
        try shell.tell("\(script); echo started")
        #expect(try shell.line() == "started")
        #expect(shell.child.endLeftovers(since: begin) == ["sleep 605"])
        // The shell reaps its children.
        try shell.tell("wait; echo waited")
        #expect(try shell.line() == "waited")
      }
      #expect(shell.child.endLeftovers(since: begin).isEmpty)
      _ = shell.end(atOnce: true)
    }
  }

  @Test func whoAsksForAProgramThatIsOverMeetsNoOther() async {
    await #expect(processExitsWith: .success) {
      let first = try Shell("exit 0")
      let begin = Supervision.Instant.now
      usleep(50_000)
      _ = first.end()
      let second = try Shell("exec sleep 600")
      #expect(second.supervisor == first.supervisor)
      #expect(first.child.endLeftovers(since: begin).isEmpty)
      #expect(!second.child.hasExited)
      #expect(second.end(atOnce: true).exit == .signalled(9))
    }
  }

  @Test func whatCannotBeStartedKeepsNoSupervisor() async {
    await #expect(processExitsWith: .success) {
      let first = try Shell("exit 0")
      _ = first.end()
      let tooLong = ProgramCommand(executable: "/bin/true", arguments: [String(repeating: "x", count: 1 << 18)])
      #expect(throws: ProgramFailure.self) { try ChildProcess.start(tooLong) }
      let second = try Shell("exit 0")
      #expect(second.end().exit == .exited(code: 0))
      #expect(second.supervisor == first.supervisor)
    }
  }

  @Test(arguments: [SIGKILL, SIGTERM, SIGSTOP])
  func oneThatIsGoneIsReplaced(signal: Int32) async {
    await #expect(processExitsWith: .success) { [signal] in
      let first = try Shell("exit 0")
      _ = first.end()
      kill(first.supervisor, signal)
      while signal != SIGSTOP && kill(first.supervisor, 0) == 0 { usleep(1000) }
      let second = try Shell("exec sleep 600")
      // A stopped process was continued.
      #expect((second.supervisor == first.supervisor) == (signal == SIGSTOP))
      #expect(second.end(atOnce: true).exit == .signalled(9))
      ForkServer.close()
      #expect(Self.descendants == 0)
    }
  }

  @Test func withTheirServerThoseThatWaitAreReplaced() async {
    await #expect(processExitsWith: .success) {
      let (first, running) = (try Shell("exit 0"), try Shell("exec sleep 600"))
      _ = first.end()
      let server = try Self.parent(of: first.supervisor)
      kill(server, SIGKILL)
      while try Self.parent(of: first.supervisor) == server { usleep(1000) }
      let second = try Shell("exec sleep 600")
      #expect(second.supervisor != first.supervisor)
      #expect(running.end(atOnce: true).exit == .signalled(9))
      let third = try Shell("exec sleep 600")
      #expect(![first, running, second].map(\.supervisor).contains(third.supervisor))
      for shell in [second, third] { #expect(shell.end(atOnce: true).exit == .signalled(9)) }
      ForkServer.close()
      // No process is left to be reaped.
      #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
    }
  }

  @Test func tenProgramsInARowLeaveNothing() async {
    await #expect(processExitsWith: .success) {
      let own = try Self.descriptors(of: getpid())
      let first = try Shell("exit 0")
      _ = first.end()
      let supervisors = try Self.descriptors(of: first.supervisor)
      for number in 0..<10 {
        let shell = try Shell("sleep 600 & setsid sleep 600 & exec sleep 600")
        _ = shell.end(atOnce: true)
        #expect(shell.supervisor == first.supervisor, "program \(number)")
      }
      // The server and the one supervisor.
      #expect(Self.descendants == 2)
      #expect(try Self.descriptors(of: first.supervisor) == supervisors)
      ForkServer.close()
      #expect(Self.descendants == 0)
      #expect(try Self.descriptors(of: getpid()) <= own)
    }
  }
}
