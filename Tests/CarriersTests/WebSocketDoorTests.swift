import NIOHTTP1
import Testing

@testable import Carriers

@Suite struct WebSocketDoorTests {
  private let door = WebSocketDoor(host: "192.0.2.7", port: 9100, token: "5f0c")

  @Test func theAddressHasTheToken() {
    #expect(door.url == "ws://192.0.2.7:9100/?token=5f0c")
    #expect(WebSocketDoor(host: "::1", port: 9100, token: "5f0c").url == "ws://[::1]:9100/?token=5f0c")
  }

  /// A page that another machine serves at an address of this machine is a page of this machine.
  @Test(
    arguments: [
      (["127.0.0.1", "192.0.2.2", "::1"], "192.0.2.2", "http://192.0.2.2:8080", nil),
      (["127.0.0.1", "192.0.2.2", "::1"], "192.0.2.2", "http://192.0.2.3:8080", .forbidden),
      (["127.0.0.1", "169.254.1.1", "2001:db8::2"], "169.254.1.1", "http://[2001:db8::2]:8080", nil),
      (["127.0.0.1", "fe80::1"], "127.0.0.1", "http://localhost", nil),
    ] as [([String], String, String, HTTPResponseStatus?)])
  func allAddressesOfTheMachineAreNames(
    machine: [String], host: String, origin: String, status: HTTPResponseStatus?
  ) {
    for listening in ["0.0.0.0", "::"] {
      let door = WebSocketDoor(host: listening, port: 9100, token: "5f0c", machine: machine)
      #expect(door.url == "ws://\(host):9100/?token=5f0c")
      let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/?token=5f0c", headers: ["Origin": origin])
      #expect(door.refusal(of: head)?.status == status)
    }
  }

  @Test(
    arguments: [
      ("/?token=5f0c", nil, nil), ("/any?a=b&token=5f0c", nil, nil), ("/?token=5f0c", "null", nil),
      ("/?token=5f0c", "file://", nil), ("/?token=5f0c", "http://localhost:8080", nil),
      ("/?token=5f0c", "http://[::1]:8080", nil), ("/?token=5f0c", "http://192.0.2.7", nil),
      ("/", nil, .unauthorized), ("/?token=", nil, .unauthorized), ("/?token=5f0d", nil, .unauthorized),
      ("/?token=5f0c1", nil, .unauthorized), ("/?token=5f0d&token=5f0c", nil, .unauthorized),
      ("/?token=5f0c", "https://example.com", .forbidden), ("/?token=5f0c", "http://localhost.example", .forbidden),
      ("/?token=5f0c", "http://127.0.0.1.example:80", .forbidden), ("/?token=5f0c", "nonsense", .forbidden),
    ] as [(String, String?, HTTPResponseStatus?)])
  func whoComesIsChecked(target: String, origin: String?, status: HTTPResponseStatus?) {
    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target)
    if let origin { head.headers.add(name: "Origin", value: origin) }
    #expect(door.refusal(of: head)?.status == status)
  }
}
