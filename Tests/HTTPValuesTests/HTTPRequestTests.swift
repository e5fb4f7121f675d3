import Testing

@testable import HTTPValues

@Suite struct HTTPRequestTests {
  /// A server does not look at a fragment, which a client must not send.
  @Test(
    arguments: [
      ("/a", "/a", nil), ("/a?b=c", "/a", "b=c"), ("/a?", "/a", ""), ("/a#d", "/a", nil), ("/a?b=c#d", "/a", "b=c"),
      ("/a#d?b=c", "/a", nil), ("/a?b=c?d", "/a", "b=c?d"), ("", "", nil),
    ] as [(String, String, String?)])
  func pathAndQueryAreWithoutAFragment(target: String, path: String, query: String?) {
    let request = HTTPRequest(method: "GET", target: target)
    #expect(request.path == path)
    #expect(request.query == query)
  }
}
