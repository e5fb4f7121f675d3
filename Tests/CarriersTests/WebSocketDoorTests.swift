import NIOHTTP1
import Testing

@testable import Carriers

@Suite struct WebSocketDoorTests {
  private let door = WebSocketDoor(host: "192.0.2.7", port: 9100, token: "5f0c")

  @Test func theAddressHasTheToken() {
    #expect(door.url == "ws://192.0.2.7:9100/?token=5f0c")
    #expect(WebSocketDoor(host: "::1", port: 9100, token: "5f0c").url == "ws://[::1]:9100/?token=5f0c")
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
