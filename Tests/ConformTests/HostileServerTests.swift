import Foundation
import Glibc
import Synchronization
import Testing

/// Programs that are not HTTP servers, or not of this protocol.
@Suite struct HostileServerTests {
  /// A port that answers each connection with these bytes, after the first bytes of the client. After a number of
  /// connections it answers no more.
  final class Port: Sendable {
    let number: UInt16
    private let listener: Int32

    init(answering bytes: [UInt8], speaksFirst: Bool = false, times: Int = .max) throws {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isListening = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
        }
      }
      try #require(isListening)
      self.listener = listener
      number = UInt16(bigEndian: address.sin_port)
      Thread.detachNewThread {
        var count = 0
        while true {
          let connection = accept(listener, nil, nil)
          guard connection >= 0 else { return }
          count += 1
          var request = [UInt8](repeating: 0, count: 4096)
          if !speaksFirst { _ = read(connection, &request, request.count) }
          if count <= times {
            _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            Glibc.shutdown(connection, Int32(SHUT_WR))
          }
          while read(connection, &request, request.count) > 0 {}
          close(connection)
        }
      }
    }

    deinit {
      Glibc.shutdown(listener, Int32(SHUT_RDWR))
      close(listener)
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var scheme = "http"
    var bytes: [UInt8]
    var speaksFirst = false
    var says: String
  }

  private static let rows = [
    Row(
      testDescription: "SSH", bytes: Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), speaksFirst: true,
      says: "is this the port of an HTTP/1.1 server?"),
    Row(
      testDescription: "SSH on https", scheme: "https", bytes: Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), speaksFirst: true,
      says: "the server does not speak TLS: use http, or the port on which it does"),
    Row(
      testDescription: "plain HTTP on https", scheme: "https",
      bytes: Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8),
      says: "the server speaks plain HTTP: use http"),
    Row(testDescription: "a TLS alert on http", bytes: [0x15, 3, 1, 0, 2, 2, 0x46], says: "https"),
    Row(testDescription: "nothing", bytes: [], says: "is this the port of an HTTP/1.1 server?"),
  ]

  @Test(arguments: rows)
  func whatIsNoServerIsRefusedBeforeTheRun(row: Row) async throws {
    let port = try Port(answering: row.bytes, speaksFirst: row.speaksFirst)
    let folder = try Scratch()
    let url = "\(row.scheme)://127.0.0.1:\(port.number)"
    let result = try await Command(in: folder)("run", "--server", url, "--case", "server.health.status")
    #expect(result.code == 2)
    #expect(result.errors.contains("no HTTP server answers at \(url)"))
    #expect(result.errors.contains(row.says), "\(result.errors)")
    #expect(try folder.names().isEmpty)
  }

  static func answer(_ head: String, _ body: [UInt8], length: Int? = nil) -> [UInt8] {
    Array("HTTP/1.1 \(head)\r\nContent-Length: \(length ?? body.count)\r\n\r\n".utf8) + body
  }

  /// Any program that speaks HTTP is a server, whatever it answers: the cases judge it, or are unjudged.
  @Test(arguments: ["HTML", "half a body", "100 MB", "a redirect in a circle"])
  func aServerOfNoSensePassesNothing(name: String) async throws {
    let bytes =
      switch name {
      case "HTML": Self.answer("200 OK\r\nContent-Type: text/html", Array("<html></html>".utf8))
      case "half a body":
        Self.answer("200 OK\r\nContent-Type: application/json", Array("{\"status\":\"hea".utf8), length: 400)
      case "100 MB": Self.answer("200 OK", [UInt8](repeating: 0x20, count: 5 << 20), length: 100_000_000)
      default: Self.answer("302 Found\r\nLocation: /", [])
      }
    let port = try Port(answering: bytes)
    let folder = try Scratch()
    let result = try await Command(in: folder)(
      "run", "--server", "http://127.0.0.1:\(port.number)", "--case", "server.health.status", "--case",
      "server.install.minimal")
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    #expect(!result.output.contains("passed"), "\(result.output)")
    for file in try folder.names(in: "conform-report/evidence") {
      #expect(try folder.text("conform-report/evidence/" + file).utf8.count < 1 << 20)
    }
  }

  /// The first answer is that to the check whether a server is there. The missing second answer is not evidence about
  /// the requirement, so its case is unjudged, which is not a pass either.
  @Test func aServerThatStopsAnsweringCostsOneTimeLimitACase() async throws {
    let port = try Port(answering: Self.answer("200 OK", []), times: 1)
    let result = try await Command(in: try Scratch())(
      "run", "--server", "http://127.0.0.1:\(port.number)", "--case", "server.health.status")
    #expect(result.code == 3, "\(result.output)\(result.errors)")
    #expect(result.output.contains("not answered in time"), "\(result.output)")
  }

  @Test func aPortInUseIsNotServedOn() async throws {
    let port = try Port(answering: [])
    let result = try await Command(in: try Scratch())("serve", "--port", "\(port.number)")
    #expect(result.code == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("Address already in use"))
    #expect(result.errors.contains("--port"))
  }
}
