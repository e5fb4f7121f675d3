import NIOCore
import Testing

@testable import Carriers

@Suite struct EventStreamParserTests {
  private static let streams: [(String, [String])] = [
    ("data: {}\n\n", ["{}"]), ("data:{}\r\n\r\n", ["{}"]), ("data: {}\r\rdata: []\r\r", ["{}", "[]"]),
    (": a comment\n\ndata: 1\n\n", ["1"]), ("event: message\nid: 7\ndata: 1\nretry: 9\n\n", ["1"]),
    ("\u{FEFF}data: 1\n\n", ["1"]), ("data: 1\ndata: 2\n\n", ["1\n2"]), ("data: unfinished\n", []), ("\n\n\n", []),
  ]

  /// However the bytes are cut into pieces, the events are the same.
  @Test(arguments: streams)
  func theDataOfEventsIsRead(stream: String, events: [String]) {
    for size in 1...max(1, stream.utf8.count) {
      var parser = EventStreamParser()
      var read: [String] = []
      let bytes = Array(stream.utf8)
      for start in Swift.stride(from: 0, to: bytes.count, by: size) {
        read += parser.read(ByteBuffer(bytes: bytes[start...].prefix(size))).map { String(buffer: $0) }
      }
      #expect(read == events, "in pieces of \(size)")
    }
  }

  /// The most frequent mistakes of a stream that is written by hand.
  @Test(
    arguments: [
      ("{}\n\n", "a line without the name of a field", nil), ("data: 1\n\n[1]\n", "The line begins: [1]", nil),
      ("\u{1F}\u{0}", nil, "the last line of the stream has no end"), ("data: {}\n", nil, "expected an empty line"),
      ("name: value\n\n", nil, nil), (": comment\n", nil, nil),
    ] as [(String, String?, String?)])
  func aMistakeIsNamed(stream: String, problem: String?, unfinished: String?) {
    var parser = EventStreamParser()
    _ = parser.read(ByteBuffer(string: stream))
    #expect((parser.problem == nil) == (problem == nil))
    if let problem { #expect(parser.problem?.contains(problem) == true, "\(parser.problem ?? "")") }
    #expect((parser.unfinished == nil) == (unfinished == nil))
    if let unfinished { #expect(parser.unfinished?.contains(unfinished) == true, "\(parser.unfinished ?? "")") }
  }

  @Test func aCompressedStreamIsNamed() {
    var parser = EventStreamParser()
    _ = parser.read(ByteBuffer(bytes: [0x1F, 0x8B, 8, 0]))
    #expect(parser.problem == "the stream is compressed by gzip, and no header says so; expected plain text")
  }

  @Test func anEventThatIsTooLongIsNoticed() {
    var parser = EventStreamParser()
    #expect(parser.read(ByteBuffer(string: "data: ")).isEmpty && !parser.isTooLong)
    _ = parser.read(ByteBuffer(repeating: 0x20, count: EventStreamParser.longestEvent))
    #expect(parser.isTooLong)
  }
}
