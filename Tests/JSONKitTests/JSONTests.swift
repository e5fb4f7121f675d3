import ConformanceModel
import RandomValues
import Testing

@testable import JSONKit

@Suite struct JSONTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1.50", "-1e-7", "1E+3", "9007199254740993", "\"\"", "\"a\"", "[]", "{}",
    "[1,[2,{\"a\":null}]]", "{\"a\":1,\"a\":2}", "{\"b\":1,\"a\":2}",
  ])
  func strictTextSurvivesUnchanged(text: String) throws {
    #expect(try JSON(parsing: text).compactText == text)
    #expect(try JSON(parsing: " \n\t\r\(text) ").compactText == text)
  }

  /// Strings are looked through several bytes at a time: a byte that ends one, or is not allowed in one, is seen wherever it
  /// stands, and what is near to it in the table of bytes is taken for neither.
  @Test(arguments: 0...17) func aSignOfAStringIsSeenWhereverItStands(at place: Int) throws {
    for others in ["a", "!", " ", "#", "[", "]", "\u{7F}", "\u{A2}", "\u{FC}", "\u{202F}"] {
      let before = String(repeating: others, count: place)
      for rest in ["", "a", "0123456", "01234567"] {
        #expect(try JSON(parsing: "\"\(before)\"") == .string(before))
        #expect(try JSON(parsing: "\"\(before)\\n\(rest)\"") == .string(before + "\n" + rest))
        #expect(try JSON(parsing: "\"\(before)\\\\\(rest)\"") == .string(before + "\\" + rest))
        for hidden in ["\0", "\u{1F}", "\n"] {
          let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: "\"\(before)\(hidden)\(rest)\"") }
          #expect(error?.offset == 1 + before.utf8.count)
        }
      }
    }
  }

  @Test(arguments: [
    ("", 0, "a value", "end of text"), ("[1,]", 3, "a value", "']'"),
    ("{\"a\":1,}", 7, "a member name in quotes", "'}'"),
    ("[1 2]", 3, "',' or ']'", "'2'"), ("{\"a\" 1}", 5, "':' after the member name", "'1'"),
    ("{a:1}", 1, "a member name in quotes", "'a'"), ("{1:1}", 1, "a member name in quotes", "'1'"),
    ("nul", 0, "a value", "'n'"), ("NaN", 0, "a value", "'N'"), ("Infinity", 0, "a value", "'I'"),
    ("+1", 0, "a value", "'+'"),
    ("01", 1, "end of text", "'1'"), ("1.", 0, "a value", "'1'"), (".5", 0, "a value", "'.'"),
    ("-", 0, "a value", "'-'"),
    ("1e", 0, "a value", "'1'"), ("0x1", 1, "end of text", "'x'"), ("1 1", 2, "end of text", "'1'"),
    ("'a'", 0, "a value", "'''"), ("\"a", 0, "'\"' that closes the string", "end of text"),
    ("\"\\x\"", 1, "an escape of JSON", "\\x"), ("\"\\u12\"", 3, "four hexadecimal digits", "'1'"),
    ("\"\\ud800\"", 7, "a low surrogate after a high one", "'\"'"),
    ("\"\\udc00\"", 7, "a Unicode character", "a lone surrogate"),
    ("\"\\ud800\\u0041\"", 13, "a low surrogate", "another character"),
    ("\"a\nb\"", 2, "no control character in a string", "0xa"),
    ("\"\\n\tb\"", 3, "no control character in a string", "0x9"),
    ("\"a\\nb", 0, "'\"' that closes the string", "end of text"), ("\"a\\", 3, "an escape", "end of text"),
    ("\u{FEFF}1", 0, "a value", "byte 0xef"), ("// x\n1", 0, "a value", "'/'"), ("[", 1, "a value", "end of text"),
    ("{\"a\":1", 6, "',' or '}'", "end of text"),
  ])
  func whatIsNotJSONIsRefusedWithThePlace(text: String, offset: Int, expected: String, found: String) throws {
    let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text) }
    #expect(error == JSON.SyntaxError(offset: offset, expected: expected, found: found))
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0x5C, 0x6E, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
    ] as [[UInt8]])
  func invalidUTF8IsRefused(bytes: [UInt8]) {
    #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: bytes) }
  }

  /// A member is read alone: what is before it must be JSON, what comes after it is not looked at.
  @Test(
    arguments: [
      (#"{"a": [1], "b": {"c": 2}, "b": 3}"#, #"{"c":2}"#), (#" { "b":null, #"#, "null"),
      (#"{"b": "x" and more"#, #""x""#),
      (#"{"a": {"b": 1}}"#, nil), ("{}", nil), (#"{"B": 1}"#, nil),
    ] as [(String, String?)])
  func oneMemberIsReadAlone(text: String, value: String?) throws {
    #expect(try JSON(member: "b", of: Array(text.utf8))?.compactText == value)
  }

  @Test(arguments: [
    ("[1]", 0, "an object"), ("", 0, "an object"), (#"{"a": 1 "b": 2}"#, 8, "',' or '}'"),
    (#"{"a": 1"#, 7, "',' or '}'"),
    (#"{"a": x, "b": 2}"#, 6, "a value"), (#"{"b": [1}"#, 8, "',' or ']'"), ("{ b: 1}", 2, "a member name in quotes"),
  ])
  func whatIsNotJSONUpToAMemberIsRefused(text: String, offset: Int, expected: String) {
    let error = #expect(throws: JSON.SyntaxError.self) { try JSON(member: "b", of: Array(text.utf8)) }
    #expect(error?.offset == offset)
    #expect(error?.expected == expected)
  }

  @Test(arguments: [(255, true), (256, true), (257, false), (100_000, false)])
  func nestingHasALimit(depth: Int, isAccepted: Bool) {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(((try? JSON(parsing: text)) != nil) == isAccepted)
  }

  @Test(arguments: [
    ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"), ("\"\\u00e9\\u0000\"", "é\0"),
    ("\"\\ud83d\\ude00\"", "😀"),
    ("\"\\uFFFF\"", "\u{FFFF}"), ("\"a\\\"b€\\nc\"", "a\"b€\nc"), ("\"\\\\n\"", "\\n"),
  ])
  func escapesAreRead(text: String, value: String) throws {
    #expect(try JSON(parsing: text).string == value)
  }

  @Test(arguments: [
    ("", "\"\""), ("plain", "\"plain\""), ("a\"b\\c/d", "\"a\\\"b\\\\c/d\""), ("\n\r\t", "\"\\n\\r\\t\""),
    ("\0\u{8}\u{1F}\u{7F}", "\"\\u0000\\u0008\\u001f\\u007f\""), ("\u{2028}x\u{2029}", "\"\\u2028x\\u2029\""),
    // These begin with the same bytes as the two line separators.
    ("€\u{2027}\u{202A}", "\"€\u{2027}\u{202A}\""), ("é😀e\u{301}", "\"é😀e\u{301}\""),
  ])
  func onlyWhatMustBeIsEscaped(text: String, spelling: String) {
    #expect(JSON.string(text).compactText == spelling)
    #expect(JSON.object(compact: [(text, .null)]).compactBytes == Array("{\(spelling):null}".utf8))
  }

  @Test(arguments: [0, 1, 15, 16, 255, 256, 5000])
  func anEscapeMayStandAnywhereInATextOfAnyLength(length: Int) throws {
    for special in ["\"", "\n", "\u{7F}", "\u{2028}", "€"] {
      let text = String(repeating: "x", count: length) + special + String(repeating: special, count: length) + "y"
      let texts = JSON.strings([text, text])
      #expect(try JSON(parsing: texts.compactText) == texts)
    }
  }

  @Test func theMembersOfAnObjectAreTheSameAsAValueAndAsText() throws {
    struct Inner: JSONObjectEncodable {
      var isEmpty: Bool
      func encodeMembers(into members: inout some JSONMembers) {
        if !isEmpty { members.add("a", "{") }
        members.add("absent", nil as String?)
      }
    }
    struct Outer: JSONObjectEncodable {
      func encodeMembers(into members: inout some JSONMembers) {
        members.add("first", Inner(isEmpty: true))
        Inner(isEmpty: false).encodeMembers(into: &members)
        members.add("list", [Inner(isEmpty: false), Inner(isEmpty: true)])
        members.add("none", [Int]())
        members.add("value", ["n": 1.50, "t": true] as JSON)
        members.add("int", -7 as Int?)
      }
    }
    let text = ##"{"first":{},"a":"{","list":[{"a":"{"},{}],"none":[],"value":{"n":1.5,"t":true},"int":-7}"##
    #expect(String(decoding: Outer().compactBytes, as: UTF8.self) == text)
    #expect(Outer().representation.compactText == text)
    var writer = JSONWriter()
    writer.write(line: Outer())
    writer.write(line: Inner(isEmpty: true))
    #expect(String(decoding: writer.bytes, as: UTF8.self) == text + "\n{}\n")
  }

  @Test(arguments: 0..<300)
  func everyValueSurvivesBothSpellings(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let value = random.json()
    #expect(try JSON(parsing: value.compactText) == value)
    #expect(try JSON(parsing: value.prettyText) == value)
    for width in [0, 12, 60] { #expect(try JSON(parsing: value.prettyText(width: width)) == value) }
    #expect(value.compactText.contains { $0.isNewline } == false)
    #expect(value.isEquivalent(to: value))
  }

  @Test(arguments: [
    ("1", "1.0", true), ("1", "1e0", true), ("100", "1E2", true), ("0", "-0", true), ("0", "0e5", true),
    ("0.1", "1e-1", true),
    ("9007199254740993", "9007199254740992", true), ("0.1", "0.10000000000000000001", true),
    ("0.1", "0.1000000000000001", false),
    ("1e400", "1e401", false), ("1", "-1", false),
    ("1e400", "1e401", false), ("1", "\"1\"", false), ("null", "false", false), ("[1,2]", "[1.0,2]", true),
    ("[1,2]", "[2,1]", false), ("{\"a\":1,\"b\":2}", "{\"b\":2.0,\"a\":1}", true),
    ("{\"a\":1}", "{\"a\":1,\"b\":null}", false),
    ("{\"a\":1,\"a\":2}", "{\"a\":2}", true), ("\"\u{e9}\"", "\"e\u{301}\"", false),
  ])
  func valuesAreEquivalentAsReceiversSeeThem(left: String, right: String, isEquivalent: Bool) throws {
    let (one, two) = (try JSON(parsing: left), try JSON(parsing: right))
    #expect(one.isEquivalent(to: two) == isEquivalent)
    #expect(two.isEquivalent(to: one) == isEquivalent)
  }

  @Test(arguments: [
    ("-1", "0"), ("0", "1"), ("1", "1.0000000000000000000001"), ("9", "10"), ("-10", "-9"), ("1e-400", "1e-399"),
    ("9007199254740992", "9007199254740993"), ("-1e400", "1e400"), ("0.09", "0.1"), ("-0.1", "0"), ("0", "1e-500"),
  ])
  func numbersAreOrderedByValue(smaller: String, larger: String) throws {
    let (one, two) = (try #require(JSON.Number(lexeme: smaller)), try #require(JSON.Number(lexeme: larger)))
    #expect(one.isLess(than: two))
    #expect(!two.isLess(than: one))
    #expect(!one.isLess(than: one))
    #expect(!one.isEqual(to: two))
  }

  @Test(
    arguments: [
      ("5", 5), ("5.0", 5), ("5e0", 5), ("50e-1", 5), ("-3.00", -3), ("1e3", 1000), ("9223372036854775807", Int.max),
      ("9223372036854775808", nil), ("5.5", nil), ("1e400", nil), ("0.0", 0),
    ] as [(String, Int?)])
  func integersAreRecognisedByValue(lexeme: String, int: Int?) throws {
    let number = try #require(JSON.Number(lexeme: lexeme))
    #expect(number.int == int)
    #expect(int == nil || number.isInteger)
  }

  @Test(arguments: ["1e400", "-1e999999999", "1e9223372036854775808", String(repeating: "9", count: 400)])
  func numbersBeyondDoublesAreTold(lexeme: String) throws {
    let field = JSONField(.number(try #require(JSON.Number(lexeme: lexeme))))
    let problem = try #require(throws: JSONField.Problem.self) { try field.double() }
    #expect(problem.expected == "a number up to 1.7976931348623157e+308")
    #expect(throws: JSONField.Problem.self) { try field.int() }
  }

  @Test(arguments: [
    "1e999999999", "1e-999999999", "1e9223372036854775808", "-1e-9223372036854775809", "0e99999999999999999999",
  ])
  func exponentsHaveNoEnd(lexeme: String) throws {
    let number = try #require(JSON.Number(lexeme: lexeme))
    #expect(number.isEqual(to: number) && !number.isLess(than: number))
    #expect(number.int == (lexeme.hasPrefix("0") ? 0 : nil))
    #expect(number.isInteger == !lexeme.contains("e-"))
  }

  @Test(arguments: ["", "1.", "+1", "01", "1 ", "a", "1e", "0x1", "--1"])
  func otherTextsAreNoNumbers(lexeme: String) {
    #expect(JSON.Number(lexeme: lexeme) == nil)
  }

  @Test func membersKeepTheirOrderAndDuplicates() throws {
    var object = try #require(try JSON(parsing: #"{"b":1,"a":2,"b":3}"#).object)
    #expect(object.keys == ["b", "a", "b"])
    #expect(object["b"] == 3)
    #expect(object.duplicateKey == "b")
    object["a"] = 5
    object["c"] = 6
    #expect(JSON.object(object).compactText == #"{"b":1,"a":5,"b":3,"c":6}"#)
    object["b"] = nil
    #expect(JSON.object(object).compactText == #"{"a":5,"c":6}"#)
  }

  @Test(arguments: [
    (#"{"b":1,"a":2,"b":3}"#, #"{"b":3,"a":2}"#), (#"[{"a":{"c":1,"c":{"d":1,"d":2}}}]"#, #"[{"a":{"c":{"d":2}}}]"#),
    ("{\"\u{e9}\":1,\"e\u{301}\":2}", "{\"\u{e9}\":1,\"e\u{301}\":2}"), ("[1,1]", "[1,1]"), ("null", "null"),
  ])
  func ofMembersWithOneNameTheLastIsKept(text: String, kept: String) throws {
    #expect(try JSON(parsing: text).keepingLastMembers.compactText == kept)
  }

  @Test func namesAreTheirScalars() throws {
    let value = try JSON(parsing: "{\"\u{e9}\":1,\"e\u{301}\":2}")
    #expect(value["\u{e9}"] == 1)
    #expect(value["e\u{301}"] == 2)
    #expect(value.object?.duplicateKey == nil)
    #expect(try value != JSON(parsing: "{\"e\u{301}\":1,\"\u{e9}\":2}"))
    #expect(try value.isEquivalent(to: JSON(parsing: "{\"e\u{301}\":2,\"\u{e9}\":1}")))
  }

  @Test func excerptsAreShort() {
    #expect(JSON.string(String(repeating: "a", count: 200)).excerpt.count == 120)
    #expect(JSON.string("a").excerpt == "\"a\"")
  }
}
