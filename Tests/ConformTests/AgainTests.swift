import ConformanceVerdict
import Foundation
import Testing

/// Work on one failure: the live conversation, several runs, and a run after each change.
@Suite struct AgainTests {
  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  private func words(_ sdk: String, _ more: String...) -> [String] {
    ["run", "--sdk", sdk, "--case", "config.base-url.malformed", "--dialect", "spec", "--requirement", "LF-CFG-012"]
      + more
  }

  @Test func aTraceShowsEachMessageOfEachCase() async throws {
    let sdk = try PythonAdapter.write(to: folder)
    let result = try await conform.run(words(sdk, "--trace", "--quiet"))
    let cases = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl")).cases
    #expect(cases.count > 1)
    for one in cases { #expect(result.output.contains("\n== \(one.instance.title)\n"), "\(result.output)") }
    #expect(result.output.components(separatedBy: "call initialize").count - 1 >= cases.count)
  }

  /// Programs of subjects read variables of the environment, so the command that repeats a case sets the same ones.
  @Test func aRerunSetsTheVariablesOfTheSubject() async throws {
    let line = words(Command.buildFolder + "/linkforty-adapter", "--quiet").map { "'\($0)'" }.joined(separator: " ")
    let variables = "export CONFORM_TRIED='a b' CONFORM_A_TOKEN=x CONFORM_BUILT=yes"
    let result = try await conform.shell("\(variables); conform \(line)")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let header = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl")).header
    #expect(header.rerun.hasPrefix("CONFORM_TRIED='a b' "), "\(header.rerun)")
    #expect(!header.rerun.contains("TOKEN") && !header.rerun.contains("BUILT"))
    #expect(header.rerunAnywhere.hasPrefix("CONFORM_TRIED='a b' conform run "), "\(header.rerunAnywhere)")
  }

  /// A person presses keys: one step, the rest of the case, the end of the run. Each pause shows where the server is.
  @Test(
    arguments: [
      ("\\n\\nr\\n", 3, 0), ("c\\nc\\nr\\n", 3, 0), ("x\\nr\\n", 1, 0), ("", 1, 0), ("q\\n", 1, 3),
    ] as [(String, Int, Int32)])
  func aPauseIsBeforeEachStep(keys: String, pauses: Int, code: Int32) async throws {
    let line = words(Command.buildFolder + "/linkforty-adapter", "--pause", "--quiet").map { "'\($0)'" }.joined(
      separator: " ")
    let result = try await conform.shell("printf '\(keys)' | conform \(line)")
    #expect(result.code == code, "\(result.output)\(result.errors)")
    let shown = result.output.components(separatedBy: "-- before step ").dropFirst()
    #expect(shown.count == pauses, "\(result.output)")
    #expect(shown.allSatisfy { $0.contains(/api http:\/\/127\.0\.0\.1:\d+/) }, "\(result.output)")
  }

  /// A person may think for longer than a case may take.
  @Test func aPauseDoesNotCountForTheTimeLimit() async throws {
    let line = words(Command.buildFolder + "/linkforty-adapter", "--pause", "--quiet", "--time-limit", "2")
      .map { "'\($0)'" }.joined(separator: " ")
    let result = try await conform.shell("(sleep 5; printf 'r\n') | conform \(line)")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
  }

  /// A program that stops to start is like a page that does not come back: no case has an adapter.
  @Test func casesWithoutAnAdapterCountAsHangs() async throws {
    try folder.write(
      "once.sh", "[ ! -e started ] || exit 9\ntouch started\nexec '\(Command.buildFolder)/linkforty-adapter'\n")
    let result = try await conform.run([
      "run", "--sdk", "sh once.sh", "--dialect", "spec", "--case", "config.base-url.*", "--case", "api.key.forgotten",
      "--jobs",
      "2",
      "--max-hangs", "1", "--clock", "real", "--quiet",
    ])
    let says = "the run was stopped after 1 case in which the adapter did not answer in time"
    #expect(result.output.contains(says), "\(result.output)\(result.errors)")
  }

  @Test(arguments: [
    ("HELLO['sdk']['version'] = str(n)", "its version of the SDK is '2', and was '1'"),
    ("HELLO['sdk']['package'] = f'pkg:pypi/a@{n}'", "its package is pkg:pypi/a@2, and was pkg:pypi/a@1"),
    ("HELLO['sdk']['files'] = {'a.py': f'{n:064x}'}", "its list of files is a.py 0000"),
  ])
  func anotherSDKInTheSameRunIsNotJudged(change: String, difference: String) async throws {
    let bend = "HELLO['instances'] = 'one'; n = len(open('pids').readlines()); \(change)"
    let sdk = try PythonAdapter.write(bend, to: folder)
    let result = try await conform.run(words(sdk, "--jobs", "1"))
    #expect(result.code == 3, "\(result.output)\(result.errors)")
    let says = "another adapter than at the beginning of the run answered 'hello': \(difference)"
    let seen = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(seen.contains(says), "\(result.output)\(result.errors)")
  }

  @Test func hangsStopTheRun() async throws {
    // An adapter that never answers `initialize`; the rest is the work of another one.
    try folder.write(
      "mute.py",
      """
      import json, subprocess, sys
      child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
      for line in sys.stdin.buffer:
          if json.loads(line)["method"] != "initialize":
              child.stdin.write(line)
              child.stdin.flush()
      child.stdin.close()
      child.wait()
      """)
    let sdk = "python3 -S -E mute.py '\(Command.buildFolder)/linkforty-adapter'"
    let result = try await conform.run([
      "run", "--sdk", sdk, "--dialect", "spec", "--case", "config.base-url.*", "--jobs", "1", "--max-hangs", "2",
      "--quiet",
    ])
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    let says = "the run was stopped after 2 cases in which the adapter did not answer in time"
    #expect(result.output.contains(says), "\(result.output)\(result.errors)")
  }

  /// The process of one run has a defect.
  @Test(
    arguments: [("0", "no verdict differs between the 3 runs", 0), ("2", "pass in 1, 3; fail in 2", 1)]
      as [(String, String, Int32)])
  func verdictsThatDifferBetweenRunsAreListed(run: String, says: String, code: Int32) async throws {
    try folder.write(
      "flaky.sh",
      """
      echo start >>starts
      [ $(wc -l <starts) != \(run) ] || set -- --defect link.cached
      exec '\(Command.buildFolder)/linkforty-adapter' "$@"
      """)
    let result = try await conform.run([
      "run", "--sdk", "sh flaky.sh", "--case", "link.each.simple", "--dialect", "spec", "--repeat", "3", "--jobs", "1",
      "--quiet",
    ])
    #expect(result.output.contains(says), "\(result.output)\(result.errors)")
    #expect(result.code == code, "\(result.output)")
    for number in 1...3 { _ = try RunRecord(readingFrom: folder.file("conform-report/\(number)/run.jsonl")) }
  }

  @Test func aChangeBelowAWatchedPathRunsAgain() async throws {
    let sdk = try PythonAdapter.write(to: folder)
    let errors = Pipe()
    let run = try conform.start(words(sdk, "--watch", "adapter.py", "--quiet"), errors: .pipe(errors))
    defer { run.signal(SIGTERM) }
    var lines = ServeTests.lines(of: errors).makeAsyncIterator()
    while let line = await lines.next(), !line.contains("waiting for a change") {}
    try folder.write("adapter.py", "raise SystemExit(9)")
    #expect(await lines.next() == "conform: 'adapter.py' has changed")
    var seen = ""
    while let line = await lines.next(), !line.contains("the run did not begin; waiting") { seen += line }
    #expect(seen.contains("exited with code 9"), "\(seen)")
    // The author repairs the adapter.
    _ = try PythonAdapter.write(to: folder)
    #expect(await lines.next() == "conform: 'adapter.py' has changed")
    while let line = await lines.next(), !line.contains("is the exit code; waiting for a change") {}
    run.signal(SIGINT)
  }

  /// The files that a run writes do not count as changes, wherever they are.
  @Test func theOwnFilesOfARunAreNoChange() async throws {
    try folder.write("source.txt", "1")
    let errors = Pipe()
    let sdk = Command.buildFolder + "/linkforty-adapter"
    let run = try conform.start(
      words(
        sdk, "--watch", ".", "--quiet", "--output", "out", "--record", "run.jsonl", "--junit", "./junit.xml", "--html",
        "page.html"),
      output: .file("../\(UUID().uuidString)"), errors: .pipe(errors))
    defer { run.signal(SIGTERM) }
    var lines = ServeTests.lines(of: errors).makeAsyncIterator()
    while let line = await lines.next(), !line.contains("waiting for a change") {}
    try await Task.sleep(for: .seconds(1))
    try folder.write("source.txt", "22")
    #expect(await lines.next() == "conform: './source.txt' has changed")
    run.signal(SIGINT)
  }

  @Test(
    arguments: [
      (["--repeat", "0"], "--repeat expects a number of runs from 1, found 0"),
      (["--repeat", "2", "--watch", "."], "--watch and --repeat do not fit together"),
      (["--repeat", "2", "--junit", "x.xml"], "--repeat and --junit do not fit together"),
      (["--watch", "nowhere"], "--watch: 'nowhere' does not exist; expected a file or a folder"),
    ])
  func optionsThatDoNotFitAreRefused(options: [String], says: String) async throws {
    let result = try await conform.run(["run", "--case", "init.usable"] + options)
    #expect(result.code == 2)
    #expect(result.errors.contains(says), "\(result.errors)")
  }
}
