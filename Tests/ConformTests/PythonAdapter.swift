import Foundation
import Testing

/// An adapter in Python that answers `hello` and does nothing else, with one piece of code that changes its behaviour.
enum PythonAdapter {
  private static let start = """
    import json, os, signal, sys

    def send(**message):
        sys.__stdout__.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
        sys.__stdout__.flush()

    def reply(id, value=None):
        send(id=id, result=value)

    def kit():
        # It stands above the adapter's supervisor and the server that begins programs.
        id = os.getpid()
        for _ in range(3):
            with open(f"/proc/{id}/stat") as file:
                id = int(file.read().rsplit(")", 1)[1].split()[1])
        return id

    def stay():
        while True:
            signal.pause()

    HELLO = {
        "protocolVersion": 1, "protocol": "linkforty", "specRevision": "2026-03-12",
        "sdk": {"name": "py", "version": "0.1.0", "language": "python"},
        "capabilities": ["initialization"], "clocks": ["real"], "instances": "many",
    }

    with open("pids", "a") as file:
        file.write(f"{os.getpid()}\\n")

    def work(id, method, params):
        return False

    """

  private static let end = """


    for line in iter(sys.stdin.readline, ""):
        command = json.loads(line)
        id, method, params = command["id"], command["method"], command["params"]
        if work(id, method, params):
            continue
        elif method == "hello":
            reply(id, HELLO)
        elif method in ("launch", "quit", "ping"):
            reply(id)
        elif method == "shutdown":
            reply(id)
            break
        elif method == "initialize":
            send(id=id, error={"code": -32000, "message": "refused", "data": {"kind": "invalidConfiguration"}})
        else:
            send(id=id, error={"code": -32601, "message": "there is no command " + method})
    """

  /// Writes an adapter with this piece of code to the folder. Returns the words for `--sdk`.
  static func write(_ bend: String = "", to folder: Scratch) throws -> String {
    try folder.write("adapter.py", start + bend + end)
    return "python3 -S -E adapter.py"
  }

  /// Checks that all processes of the adapter are gone.
  static func expectNoneLeft(in folder: Scratch, atLeast count: Int = 1) throws {
    let ids = try folder.text("pids").split(separator: "\n").compactMap { Int32($0) }
    #expect(ids.count >= count)
    for id in ids { #expect(kill(id, 0) == -1 && errno == ESRCH, "process \(id) is left") }
  }
}
