import ConformanceVerdict
import Testing

/// An SDK that works and reports an error for each call. Its requests are judged nevertheless.
@Suite struct ReportedErrorTests {
  /// A program between the kit and an adapter that turns the successes of some commands into errors.
  private static let proxy = """
    import json, subprocess, sys, threading

    names, asked = set(sys.argv[1].split(",")), set()
    adapter = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def answers():
        for line in adapter.stdout:
            message = json.loads(line)
            if "result" in message and message.get("id") in asked:
                del message["result"]
                message["error"] = {"code": -32000, "message": "no", "data": {"kind": "network"}}
            print(json.dumps(message), flush=True)

    thread = threading.Thread(target=answers)
    thread.start()
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") in names:
            asked.add(message["id"])
        adapter.stdin.write(line.encode())
        adapter.stdin.flush()
    adapter.stdin.close()
    thread.join()
    """

  @Test func whatWasSentIsJudgedThoughEachCallReportsAnError() async throws {
    let folder = try Scratch()
    try folder.write("proxy.py", Self.proxy)
    let calls = "setPushToken,setContact,clearContact,clearPushToken,trackCustomEvent"
    let adapter = "'\(Command.buildFolder)/mobile-engage-adapter'"
    let result = try await Command(in: folder)(
      "run", "--protocol", "mobile-engage", "--dialect", "v3", "--role", "sdk", "--quiet", "--sdk",
      "python3 proxy.py \(calls) \(adapter)", "--case", "push.*", "--case", "contact.*", "--case", "sign-out.*")
    #expect(result.code == 0, "\(result.output)")
    let record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    #expect(record.rulings.count > 200)
    #expect(record.rulings.filter { $0.disposition == .error }.map(\.testName) == [])
  }
}
