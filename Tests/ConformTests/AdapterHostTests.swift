import Glibc
import Testing

/// The reference SDK's adapter over its streams: what it says to commands that are open when the app is ended.
@Suite struct AdapterHostTests {
  /// A port that takes connections and never answers.
  private final class SilentPort {
    let number: UInt16
    private let descriptor: Int32

    init() throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let socket = descriptor
      let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, length) == 0 && listen(socket, 8) == 0 && getsockname(socket, $0, &length) == 0
        }
      }
      number = UInt16(bigEndian: address.sin_port)
      try #require(isOpen)
    }

    deinit { close(descriptor) }
  }

  @Test(arguments: ["quit", "shutdown"])
  func whatIsOpenIsAnsweredByTheEnd(method: String) async throws {
    let port = try SilentPort()
    let folder = try Scratch()
    let initialize = #"{"baseUrl":"http://127.0.0.1:\#(port.number)"}"#
    let launch = #"{"storage":".","clock":{"mode":"virtual","epoch":0,"scale":1},"seed":1,"environment":{}}"#
    try folder.write(
      "commands",
      [("launch", launch), ("initialize", initialize), (method, "{}")].enumerated().map { index, command in
        #"{"jsonrpc":"2.0","id":\#(index + 1),"method":"\#(command.0)","params":\#(command.1)}"# + "\n"
      }.joined())
    let result = try await Command(in: folder).shell("cat commands | linkforty-adapter")
    #expect(result.code == 0, "\(result.errors)")
    #expect(
      result.output == """
        {"jsonrpc":"2.0","id":1,"result":null}
        {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"the app was ended","data":{"kind":"ended"}}}
        {"jsonrpc":"2.0","id":3,"result":null}

        """)
  }
}
