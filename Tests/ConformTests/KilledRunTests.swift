import ConformanceVerdict
import Foundation
import Testing

/// A run that is killed while its last case hangs. The finished cases are on the disk.
@Suite struct KilledRunTests {
  /// An adapter with a virtual clock that refuses every base URL. After `https://` it answers no more, and kills the kit
  /// as soon as the verdicts of both other cases are in the record. A slow machine changes nothing about that order.
  private static let killing = """
    import threading, time
    HELLO["clocks"] = ["virtual"]
    hangs = False

    def finished():
        with open("conform-report/run.jsonl") as file:
            return sum('"record":"verdict"' in line and line.endswith("\\n") for line in file) == 4

    def kill_the_kit():
        while not finished():
            time.sleep(0.01)
        os.kill(kit(), signal.SIGKILL)

    def work(id, method, params):
        global hangs
        if not hangs and params.get("baseUrl") == "https://":
            hangs = True
            threading.Thread(target=kill_the_kit, daemon=True).start()
        if method == "advance" and not hangs:
            reply(id, {"next": None})
            return True
        return hangs
    """

  @Test func whatFinishedBeforeItIsOnTheDisk() async throws {
    let folder = try Scratch()
    let sdk = try PythonAdapter.write(Self.killing, to: folder)
    let conform = Command(in: folder)
    let run = try conform.start(
      ["run", "--sdk", sdk, "--case", "config.base-url.malformed", "--dialect", "spec", "--jobs", "2"],
      output: .file("output"))
    #expect(await run.ending == .signalled(SIGKILL))
    try await collectOrphans(in: folder)

    let record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    #expect(record.conclusion.reasons.first == "the run was killed after 2 of 3 cases")
    #expect(Set(record.cases.map(\.instance.row)) == ["without-scheme", "words"])
    #expect(Set(record.rulings.map(\.verdict.instance)) == Set(record.cases.map(\.instance)))
    let evidence = try folder.names(in: "conform-report/evidence")
    #expect(evidence == record.cases.map { "\($0.instance).jsonl" }.sorted())
    #expect(try folder.text("output").contains("config.base-url.malformed["))
    let report = try await conform("report", "conform-report/run.jsonl")
    #expect(report.code == 3)
    #expect(report.output.contains("INCOMPLETE: the run was killed after 2 of 3 cases"))
  }

  /// Waits until the adapters of the killed process are gone. If this process adopts orphans, it also has to reap them:
  /// beside an unreaped child, an exit test does not notice the end of its own child.
  private func collectOrphans(in folder: Scratch) async throws {
    for id in try folder.text("pids").split(separator: "\n").compactMap({ Int32($0) }) {
      while kill(id, 0) == 0, waitpid(id, nil, WNOHANG) != id { try await Task.sleep(for: .milliseconds(10)) }
    }
  }
}
