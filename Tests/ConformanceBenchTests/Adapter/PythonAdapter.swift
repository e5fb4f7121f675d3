import Foundation
import Testing

@testable import Processes

/// An adapter in Python in a folder of its own: a conforming one, with a piece of code that changes its behaviour.
struct PythonAdapter {
  /// The source that all adapters here share. The code in `bend` is inserted before `serve()`. It may define `work`,
  /// which gets each message first and returns whether it has handled it.
  private static func source(bend: String) -> String {
    """
    import json, os, signal, sys, threading

    def write(text):
        sys.stdout.write(text)
        sys.stdout.flush()

    def send(message):
        write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")

    def reply(id, value=None):
        send({"id": id, "result": value})

    def fail(id, code, message, data=None):
        send({"id": id, "error": {"code": code, "message": message, "data": data}})

    def callback(handle, value):
        send({"method": "callback", "params": {"handle": handle, "value": value}})

    def log(text):
        sys.stderr.write(text + "\\n")
        sys.stderr.flush()

    HELLO = {
        "protocolVersion": 1, "protocol": "parcel", "specRevision": "1", "sdk": {"name": "parcel-py", "version": "1"},
        "capabilities": [], "clocks": ["real"], "instances": "many",
    }

    def work(id, method, params):
        return False

    def serve():
        for line in iter(sys.stdin.readline, ""):
            message = json.loads(line)
            id, method, params = message["id"], message["method"], message["params"]
            if work(id, method, params):
                continue
            if method == "hello":
                reply(id, HELLO)
            elif method == "shutdown":
                reply(id)
                return
            elif method in ("ping", "launch", "quit"):
                reply(id)
            elif method == "echo":
                reply(id, params)
            else:
                fail(id, -32601, "there is no command " + method)

    """ + bend + "\n\nserve()\n"
  }

  let command: ProgramCommand
  private let folder: ScratchFolder

  init(bend: String = "") throws { try self.init(source: Self.source(bend: bend)) }

  init(source: String) throws {
    folder = try ScratchFolder()
    let file = try folder.write("adapter.py", source)
    command = ProgramCommand(executable: try Self.interpreter(), arguments: ["-S", "-E", file])
  }

  private static func interpreter() throws -> String {
    let folders =
      ["/usr/bin", "/usr/local/bin"]
      + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let path = folders.map { $0 + "/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    return try #require(path, "these tests need python3: install it (apt-get install python3)")
  }
}

/// A folder that is removed with its last reference.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("adapter-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file. Returns its path.
  func write(_ name: String, _ text: String) throws -> String {
    let file = path + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }
}
