import Testing

@testable import ConformanceBench
@testable import MockServices
@testable import Recording
@testable import Subjects

@Suite struct ExchangeBookTests {
  /// A request line, the exchange it belongs to, and else what the transcript says came nearest.
  private static let rows: [(line: String, exchange: String?, nearMiss: String?)] = [
    ("POST /sub/event", "event", nil),
    ("POST /sub/event?x=1", "event", nil),
    ("GET /sub/items/7", "lookup", nil),
    ("GET /sub/items/a%2Fb", "lookup", nil),
    ("GET /sub/event", nil, "nearest is event: its method is POST, not GET"),
    ("post /sub/event", nil, "nearest is event: its method is POST, not post"),
    ("POST /sub//event", nil, "nearest is event: the path has an empty segment ('//')"),
    ("POST /sub///event", nil, "nearest is event: the path has an empty segment ('//')"),
    ("POST /sub/event/", nil, "nearest is event: the path ends in '/'"),
    ("GET /sub/items/7/", nil, "nearest is lookup: the path ends in '/'"),
    ("POST /sub/Event", nil, "nearest is event: paths are case sensitive"),
    ("POST /sub/events", nil, "nearest is event: the path has 'events' in place of 'event'"),
    ("POST /sub/evt", nil, "no exchange has this method and path"),
    ("POST /event", nil, "the path does not begin with '/sub', the path of the base URL"),
    ("GET /sub/items/", nil, "no exchange has this method and path"),
    ("GET /sub/items/7/8", nil, "no exchange has this method and path"),
    ("POST /sub", nil, "no exchange has this method and path"),
    ("", nil, "the path does not begin with '/sub', the path of the base URL"),
  ]

  @Test(arguments: rows.indices)
  func aRequestIsClassifiedOrToldWhatCameNearest(index: Int) {
    let row = Self.rows[index]
    let record = Sample.book(mount: "/sub").read(Sample.record(row.line), at: Sample.main).record
    #expect(record.exchange == row.exchange)
    #expect(record.nearMiss == row.nearMiss)
  }

  /// A lenient book also names the exchange of what came near, and still says what keeps it from being that.
  @Test(arguments: rows.indices)
  func aLenientBookNamesTheExchangeThatWasMeant(index: Int) {
    let row = Self.rows[index]
    let record = Sample.book(mount: "/sub", isLenient: true).read(Sample.record(row.line), at: Sample.main).record
    let meant = ["event", "lookup"].first { row.nearMiss?.hasPrefix("nearest is \($0)") == true }
    #expect(record.exchange == row.exchange ?? meant)
    #expect(record.nearMiss == row.nearMiss)
  }

  @Test(arguments: ["HEAD /sub/items/7", "OPTIONS /sub/event"])
  func whatEveryServerAnswersOfItselfIsNotASlip(line: String) {
    let record = Sample.book(mount: "/sub", isLenient: true).read(Sample.record(line), at: Sample.main).record
    #expect(record.exchange == nil)
  }

  /// A request that differs in one place, and the request that a lenient book makes of it.
  @Test(arguments: [
    ("GET /sub/event?x=1", "POST /sub/event?x=1"), ("POST /sub/event/", "POST /sub/event"),
    ("POST /sub/events", "POST /sub/event"), ("GET /sub/items/A/", "GET /sub/items/A"),
    ("POST /sub/event", "POST /sub/event"), ("OPTIONS /sub/event", "OPTIONS /sub/event"),
    ("GET /elsewhere", "GET /elsewhere"), ("POST /event/", "POST /event/"),
  ])
  func aRequestThatLacksOneThingIsPutRight(line: String, mended: String) {
    let record = Sample.book(mount: "/sub", isLenient: true).read(Sample.record(line), at: Sample.main).asked
    #expect(record.line == "\(mended) HTTP/1.1")
    let strict = Sample.book(mount: "/sub").read(Sample.record(line), at: Sample.main).asked
    #expect(strict.line == "\(line) HTTP/1.1")
  }

  /// The mount is whole segments: what only begins with the same letters lies outside.
  @Test(arguments: ["/subway/event", "/sub.event", "/sub%2Fevent"])
  func theMountEndsAtASegment(path: String) {
    let record = Sample.book(mount: "/sub").read(Sample.record("POST \(path)"), at: Sample.main).record
    #expect(record.exchange == nil)
    #expect(record.nearMiss == "the path does not begin with '/sub', the path of the base URL")
  }

  @Test func withoutAMountPathsAreWhole() {
    let book = Sample.book()
    #expect(book.read(Sample.event(), at: Sample.main).record.exchange == "event")
    #expect(book.path(of: Sample.event().request, at: Sample.main) == "/event")
  }
}
