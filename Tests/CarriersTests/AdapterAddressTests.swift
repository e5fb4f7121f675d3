import Adapters
import Processes
import Testing

@testable import Carriers

@Suite struct AdapterAddressTests {
  @Test(
    arguments: [
      ("python3 adapter.py", .program(ProgramCommand(executable: "python3", arguments: ["adapter.py"]))),
      ("ws://", .webSocket(port: 0)), ("ws://:9100", .webSocket(port: 9100)),
      ("ws://localhost:9100/", .webSocket(port: 9100)), ("WS://:9100", .webSocket(port: 9100)),
      ("http-adapter --fast", .program(ProgramCommand(executable: "http-adapter", arguments: ["--fast"]))),
    ] as [(String, AdapterAddress)])
  func aValueOfTheOptionIsRead(text: String, address: AdapterAddress) throws {
    #expect(try AdapterAddress(text) == address)
  }

  @Test(
    arguments: [
      ("http://127.0.0.1:9000", "http://127.0.0.1:9000/"), ("http://device", "http://device:80/"),
      ("HTTP://device:1", "http://device:1/"),
      ("http://[::1]:9000/adapter?a=b", "http://[::1]:9000/adapter?a=b"),
    ])
  func anAddressOfHTTPIsRead(text: String, address: String) throws {
    guard case .http(let read) = try AdapterAddress(text) else {
      Issue.record("\(text) is not read as an address")
      return
    }
    #expect("\(read)" == address)
  }

  @Test(
    arguments: [
      ("ws:", "ws:// or ws://:PORT"), ("http:/host", "ws:// or ws://:PORT"), ("WSS://127.0.0.1", "no TLS"),
      ("https://127.0.0.1:9000/", "no TLS"), ("wss://127.0.0.1", "no TLS"),
      ("ws://192.0.2.7:9100", "--listen-on"), ("ws://:port", "--listen-on"), ("ws://:70000", "--listen-on"),
      ("http://", "http://HOST:PORT/PATH"), ("http://host:x/", "http://HOST:PORT/PATH"),
      ("http://user:word@host/", "http://HOST:PORT/PATH"), ("http://host/#part", "http://HOST:PORT/PATH"),
    ])
  func aWrongAddressIsRefused(text: String, says: String) {
    let failure = #expect(throws: ProgramFailure.self) { try AdapterAddress(text) }
    #expect(failure?.text.contains(says) == true, "\(String(describing: failure))")
    #expect(failure?.text.contains("'\(text)'") == true)
  }
}
