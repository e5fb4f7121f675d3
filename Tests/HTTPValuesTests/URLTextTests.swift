import Testing

@testable import HTTPValues

@Suite struct URLTextTests {
  @Test(arguments: [
    ("HTTPS://User:P@Host:8443/A%2fb?x=1&y#f", "https|User:P|Host|8443|/A%2fb|x=1&y|f"),
    ("http://[::1]:80", "http|-|[::1]|80||-|-"), ("http://host:", "http|-|host|-||-|-"),
    ("app:a/b?c", "app|-||-|a/b|c|-"), ("http://a@b@host/", "http|a@b|host|-|/|-|-"),
  ])
  func isTakenApartAsItIsWritten(text: String, parts: String) throws {
    let url = try #require(URLText(text))
    let port = url.port.map(String.init)
    let found = [url.scheme, url.userInfo, url.rawHost, port, url.path, url.query, url.fragment].map { $0 ?? "-" }
    #expect(found.joined(separator: "|") == parts)
    #expect(url.host == url.rawHost.lowercased())
  }

  @Test(arguments: [
    "", "host", "1a://h", "http://h:0", "http://h:65536", "http://h:+80", "http://h:8x", "http://[::1", "http://[::1]x",
    "http://h h", "http://h/\n",
  ])
  func whatIsNoURLIsRefused(text: String) {
    #expect(URLText(text) == nil)
  }

  @Test(
    arguments: [
      ("http://name:word@host/", "name:word"), ("http://name:word@host:99999/a b", "name:word"),
      ("http://host/a@b", nil), ("http://host?a@b", nil), ("name:word@host", nil),
    ] as [(String, String?)])
  func userInformationIsFoundInURLsWithAMistakeToo(text: String, information: String?) {
    #expect(URLText.userInfo(of: text) == information)
  }
}

@Suite struct RawQueryItemsTests {
  @Test func pairsAreAsWritten() {
    let items = PercentEncoding.rawQueryItems("a=1&b&=c&d=%20=e&&")
    #expect(items.map { "\($0.name)|\($0.value)" } == ["a|1", "b|", "|c", "d|%20=e"])
  }
}
