import Testing

@testable import ConformanceReport

@Suite struct XMLWriterTests {
  /// The bytes of `<a b="text">text</a>`.
  static func document(_ text: XMLText) throws -> [UInt8] {
    try bytes { writer in
      writer.start("a")
      writer.attribute("b", text)
      writer.text(text)
      writer.end()
    }
  }

  static func bytes(_ body: (inout XMLWriter) throws -> Void) throws -> [UInt8] {
    let pieces = Pieces()
    var writer = try XMLWriter { pieces.all.append(Array($0)) }
    try body(&writer)
    try writer.finish()
    return Array(pieces.all.joined())
  }

  private final class Pieces {
    var all: [[UInt8]] = []
  }

  @Test(arguments: [
    ("\u{1B}[31mred\u{1B}[0m", #"\u{1B}[31mred\u{1B}[0m"#),
    ("a\u{0}b", #"a\u{0}b"#),
    ("]]>", "]]>"),
    ("<a> & \"b\" 'c' --", "<a> & \"b\" 'c' --"),
    ("tab\tline\nend\r\n", "tab\tline\nend\r\n"),
    ("\u{7F}\u{80}\u{9B}\u{9F}\u{A0}", #"\u{7F}\u{80}\u{9B}\u{9F}"# + "\u{A0}"),
    ("\u{FFFD}\u{FFFE}\u{FFFF}\u{10FFFF}", "\u{FFFD}" + #"\u{FFFE}\u{FFFF}\u{10FFFF}"#),
    ("🦊 ü → „…“ 雪", "🦊 ü → „…“ 雪"), ("a\u{2028}b", #"a\u{2028}b"#),
    // Characters that change the direction of a text, and characters without width.
    ("a\u{202E}b\u{2066}c\u{061C}", #"a\u{202E}b\u{2066}c\u{61C}"#),
    ("a\u{200B}b\u{FEFF}c\u{AD}d\u{34F}e\u{E0041}", #"a\u{200B}b\u{FEFF}c\u{AD}d\u{34F}e\u{E0041}"#),
    ("", ""),
  ])
  func textComesBackInItsVisibleForm(text: String, visible: String) throws {
    let parsed = try #require(ParsedXML(Self.document(XMLText(text))))
    #expect(Array(parsed.text.unicodeScalars) == Array(visible.unicodeScalars))
    #expect(Array((parsed.attributes["b"] ?? "").unicodeScalars) == Array(visible.unicodeScalars))
  }

  @Test(arguments: [0...0x8, 0xB...0xC, 0xE...0x1F, 0x7F...0x9F, 0xFFFE...0xFFFF] as [ClosedRange<UInt32>])
  func eachForbiddenScalarIsMadeVisibleEvenAlone(range: ClosedRange<UInt32>) throws {
    for value in range {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(XMLText("a\(Character(scalar))").string == "a\\u{\(String(value, radix: 16).uppercased())}")
    }
  }

  @Test func invalidUTF8IsRepaired() throws {
    let parsed = try #require(ParsedXML(Self.document(XMLText(decoding: [0x61, 0xFF, 0xC3, 0x28, 0x00]))))
    #expect(parsed.text == "a\u{FFFD}\u{FFFD}(\\u{0}")
  }

  /// Whether a person sees the scalar, or it is a line break that XML takes.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    if ["\t", "\n", "\r"].contains(scalar) { return true }
    let properties = scalar.properties
    let unseen: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
    return !unseen.contains(properties.generalCategory) && !properties.isNoncharacterCodePoint
      && !properties.isDefaultIgnorableCodePoint
  }

  @Test func tenThousandRandomScalarsComeBack() throws {
    var state: UInt64 = 42
    var text = String.UnicodeScalarView()
    var visible = String.UnicodeScalarView()
    while text.count < 10_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // Half of them from where the trouble is.
      let limit: UInt64 = state >> 63 == 0 ? 0x110000 : 0x100
      guard let scalar = Unicode.Scalar(UInt32((state >> 32) % limit)) else { continue }
      text.append(scalar)
      let escape = "\\u{\(String(scalar.value, radix: 16).uppercased())}".unicodeScalars
      if Self.isShown(scalar) { visible.append(scalar) } else { visible.append(contentsOf: escape) }
    }
    let parsed = try #require(ParsedXML(Self.document(XMLText(String(text)))))
    #expect(Array(parsed.text.unicodeScalars) == Array(visible))
    #expect(Array((parsed.attributes["b"] ?? "").unicodeScalars) == Array(visible))
  }

  @Test func theFormIsIndentedAndTextIsLeftAlone() throws {
    let bytes = try Self.bytes { writer in
      writer.start("a")
      writer.start("b")
      writer.attribute("c", "1\n2")
      writer.end()
      writer.start("d")
      writer.text(" x\r ")
    }
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <a>
         <b c="1&#10;2"/>
         <d> x&#13; </d>
        </a>

        """)
  }

  @Test func aLongDocumentReachesTheSinkInPieces() throws {
    let pieces = Pieces()
    var writer = try XMLWriter { pieces.all.append(Array($0)) }
    writer.start("a")
    let text = XMLText(String(repeating: "x", count: 1000))
    for _ in 0..<4000 {
      writer.start("b")
      writer.text(text)
      writer.end()
    }
    let before = pieces.all.count
    try writer.finish()
    #expect(before >= 50)
    #expect(pieces.all.allSatisfy { $0.count <= 1 << 17 })
    #expect(pieces.all.map(\.count).reduce(0, +) > 4_000_000)
  }

  private struct Full: Error, Equatable {}

  @Test func theFirstErrorOfTheSinkIsThrownInTheEnd() throws {
    let pieces = Pieces()
    var writer = try XMLWriter { bytes in
      pieces.all.append([])
      throw Full()
    }
    writer.start("a")
    for _ in 0..<300 { writer.text(XMLText(String(repeating: "x", count: 1000))) }
    // `finish` consumes the writer, which a closure of `#expect(throws:)` must not do.
    do {
      try writer.finish()
      Issue.record("the error of the sink was lost")
    } catch {
      #expect(error is Full)
    }
    #expect(pieces.all.count == 1)
  }

  @Test func anOperationInTheWrongPlaceIsAnError() throws {
    let error = #expect(throws: XMLWriter.Failure.self) {
      _ = try Self.bytes { writer in
        writer.start("a")
        writer.text("t")
        writer.attribute("late", "1")
      }
    }
    #expect(error?.description == "libxml2 refuses the attribute 'late' at this place")
  }
}
