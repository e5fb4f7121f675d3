import JSONKit
import Testing

@testable import LinkForty

@Suite struct BaseURLTests {
  /// An accepted base URL, and its host, port and prefix.
  @Test(arguments: [
    ("https://go.example.com", "go.example.com", 443, ""),
    ("HTTPS://GO.Example.com", "go.example.com", 443, ""),
    ("https://go.example.com:8443/", "go.example.com", 8443, ""),
    ("https://go.example.com/links/eu", "go.example.com", 443, "/links/eu"),
    ("https://go.example.com/links/eu//", "go.example.com", 443, "/links/eu"),
    ("http://localhost", "localhost", 80, ""),
    ("http://LocalHost:8080", "localhost", 8080, ""),
    ("HTTP://127.0.0.1:1", "127.0.0.1", 1, ""),
    ("https://127.0.0.2", "127.0.0.2", 443, ""),
    ("https://[::1]:8443", "[::1]", 8443, ""),
  ])
  func isAccepted(_ text: String, _ host: String, _ port: Int, _ prefix: String) throws {
    let url = try Configuration(ConfigurationRequest(baseUrl: text)).baseURL
    #expect(url.host == host && url.port == port && url.prefix == prefix)
    #expect(url.isTLS == text.lowercased().hasPrefix("https"))
  }

  @Test(arguments: [
    "", "   ", "not a url", "https://", "://x", "localhost", "//localhost", "http:", "http:localhost",
    "http://links.invalid", "http://192.168.1.10", "http://10.0.2.2", "http://0.0.0.0", "http://[::1]",
    "http://127.0.0.2", "http://127.1", "http://localhost.", "http://localhost.evil.example",
    "http://127.0.0.1.evil.example", "http://xlocalhost", "http://evil.example/localhost",
    "http://evil.example?localhost", "http://evil.example#localhost", "http://localhost@evil.example",
    "http://127.0.0.1:80@evil.example", "http://evil.example@localhost", "https://user:secret@go.example.com",
    "http://localhost:80@127.0.0.1", "http://localhost:0", "http://localhost:65536", "http://localhost:8x",
    "http://localhost\\@evil.example", "http://local host", "ftp://localhost", "ws://localhost", "httpsx://localhost",
    "file:///localhost", "javascript:alert(1)", "https://go.example.com?x=1", "https://go.example.com#x",
    "https://go example.com", "https://<host>",
  ])
  func isRefused(_ text: String) {
    #expect(throws: SDKError.self) { try Configuration(ConfigurationRequest(baseUrl: text)) }
    do {
      _ = try Configuration(ConfigurationRequest(baseUrl: text))
    } catch {
      #expect(error.kind == .invalidConfiguration && error.message.contains("baseUrl"))
    }
  }

  @Test(arguments: [(JSON.int(1), 1), (24, 24), (168, 168), (2160, 2160), (2160.0, 2160), (.null, 168)])
  func aWindowIsAccepted(_ value: JSON, _ hours: Int) throws {
    let request = ConfigurationRequest(baseUrl: Stage.base, attributionWindowHours: value)
    #expect(try Configuration(request).attributionWindowHours == hours)
  }

  @Test(arguments: [JSON.int(0), -1, -168, 2161, 999_999, 1.5, 0.5, 2160.5, "168", true, [168], [:]])
  func aWindowIsRefused(_ value: JSON) {
    let request = ConfigurationRequest(baseUrl: Stage.base, attributionWindowHours: value)
    #expect(throws: SDKError.self) { try Configuration(request) }
  }

  @Test func theWindowIsAWeekByDefaultAndAnEmptyKeyIsNone() throws {
    let configuration = try Configuration(ConfigurationRequest(baseUrl: Stage.base, apiKey: ""))
    #expect(configuration.attributionWindowHours == 168 && configuration.apiKey == nil)
  }

  @Test(arguments: [("", "/api/sdk/v1/install"), ("/", "/api/sdk/v1/install"), ("/p/q/", "/p/q/api/sdk/v1/install")])
  func pathsFollowThePrefix(_ path: String, _ target: String) {
    let stage = Stage()
    stage.initialize(Stage.base + path)
    #expect(stage.requests.first?.request.target == target)
  }
}
