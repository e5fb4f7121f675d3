import ConformanceModel
import JSONKit
import RandomValues
import Templates
import Testing

@testable import LinkFortyCore

/// The law: for bindings of the holes' kinds, what is rendered captures exactly those bindings again.
@Suite struct TemplateLawTests {
  /// A template made by chance, with a value for each of its holes.
  struct Draft {
    var random: SeededRandom
    var bindings: Bindings = [:]

    init(seed: Int) { random = SeededRandom(seed: UInt64(seed)) }

    /// A hole with a value of its kind.
    mutating func hole(inText: Bool) -> String {
      if let name = bindings.values.keys.sorted().first, random.count(0...4) == 0 { return "${\(name)}" }
      let name = "h\(bindings.values.count)"
      let (kind, value) = value(inText: inText)
      bindings[name] = value
      return "${\(name)\(kind)}"
    }

    private mutating func value(inText: Bool) -> (String, JSON) {
      switch random.count(0...(inText ? 6 : 9)) {
      case 0: (":string", .string(random.text()))
      case 1: (":text", .string("t" + random.text()))
      case 2: (":integer", .int(random.count(-5...5)))
      case 3: (":number", random.number())
      case 4: (":boolean", .bool(Bool.random(using: &random)))
      case 5: (":uuid", "5f0c1c9e-7d3a-4b7e-9a51-2c6f8e0d4b19")
      case 6: ("", .string(random.text()))
      case 7: (":object", ["k": random.json(depth: 2)])
      case 8: (":array", [random.json(depth: 2)])
      default: (":any", random.json(depth: 2))
      }
    }

    mutating func template(depth: Int = 0) -> JSON {
      switch random.count(0...(depth < 3 ? 6 : 3)) {
      case 0: return random.number()
      case 1: return .string("literal")
      case 2: return .string(hole(inText: false))
      case 3:
        let holes = (0..<random.count(1...3)).map { _ in hole(inText: true) }
        return .string("<" + holes.joined(separator: random.pick([" - ", "/", ", ", "é"])) + ">")
      case 4: return .array((0..<random.count(0...3)).map { _ in template(depth: depth + 1) })
      default:
        let keys = ["a", "b c", "d?"].prefix(random.count(0...3))
        return .object(JSON.Object(keys.map { .init(key: $0, value: template(depth: depth + 1)) }))
      }
    }
  }

  @Test(arguments: 0..<400)
  func whatIsRenderedIsCapturedAgain(seed: Int) throws {
    var draft = Draft(seed: seed)
    let template = try Template(draft.template())
    let value: JSON
    do {
      value = try template.render(draft.bindings)
    } catch .ambiguous {
      // A value holds the text behind its hole: refusing to render is how the law is kept.
      return
    }
    let match = template.match(value)
    #expect(match.mismatches == [])
    #expect(match.bindings == draft.bindings)
    #expect(template.captures(from: value) == draft.bindings)
  }

  @Test func mostDraftsCanBeRendered() throws {
    let count = try (0..<400).count { seed in
      var draft = Draft(seed: seed)
      let template = try Template(draft.template())
      return (try? template.render(draft.bindings)) != nil
    }
    #expect(count > 300)
  }

  @Test func whatCannotBeTakenApartIsNotRendered() throws {
    let template = try Template("${a}/${b}")
    #expect(throws: Template.RenderError.ambiguous("x/y/z")) { try template.render(["a": "x/y", "b": "z"]) }
    #expect(try template.render(["a": "x", "b": "y/z"]) == "x/y/z")
  }

  @Test(
    arguments: [
      ("\"${a}\"", .unbound("a")), ("\"x${a}\"", .unbound("a")), ("\"${:text}\"", .matchOnly),
      ("{\"$at-least\": 1}", .matchOnly),
      ("\"${n:integer}\"", .wrongKind(name: "n", expected: "an integer", found: "\"x\"")),
      ("{\"a?\": \"${n:integer}\"}", .wrongKind(name: "n", expected: "an integer", found: "\"x\"")),
    ] as [(String, Template.RenderError)])
  func aMissingOrWrongValueIsTold(text: String, error: Template.RenderError) throws {
    let template = try Template(JSON(parsing: text))
    #expect(throws: error) { try template.render(["n": "x"]) }
  }

  @Test func optionalMembersAreLeftOut() throws {
    let template = try Template(["a": 1, "b?": "${b}", "c?": ["d": "${d}"], "e?": "${e.f}"])
    #expect(try template.render([:]) == ["a": 1])
    #expect(try template.render(["b": .null, "d": 2, "e": ["f": 3]]) == ["a": 1, "b": .null, "c": ["d": 2], "e": 3])
  }

  private static let heavy =
    "at most 100000 values in all, those of lists inside it counted, and a KiB of text as one"

  @Test(arguments: [
    ("\"${a\"", "$", "'}' that closes the hole"), ("\"${}\"", "$", "a name or a kind in the hole"),
    ("\"${a b}\"", "$", "a hole name of letters, digits, '.', '_' and '-'"),
    ("\"${a}${b}\"", "$", "text between two holes, so that a match can separate them"),
    ("{\"x\": {\"$at-least\": \"1\"}}", "$.x.$at-least", "a number"),
    ("[{\"$one-of\": []}]", "$[0].$one-of", "at least one choice"),
    ("{\"$like\": \"(\"}", "$.$like", "a regular expression"),
    ("{\"$like\": \"a/${made.code}\"}", "$.$like", "a regular expression without holes, which it is not filled with"),
    ("{\"$absent\": false}", "$.$absent", "true"),
    ("{\"a\": 1, \"a\": 2}", "$", "each member once"),
    ("{\"$repeat\": \"ab\", \"times\": 9000000}", "$.times", "a text of at most 16 MiB"),
    ("{\"$repeat\": \"ab\", \"times\": 9223372036854775807}", "$.times", "a text of at most 16 MiB"),
    ("{\"$repeat\": \"\", \"times\": -1}", "$.times", "a text of at most 16 MiB"),
    ("{\"$repeat\": \"a\", \"time\": 1}", "$.times", "a value"),
    ("{\"$repeat\": \"a\", \"times\": 1, \"b\": 2}", "$", "only '$repeat', 'times'"),
    ("{\"$list\": 1, \"times\": 10001}", "$.times", "0 to 10000 elements"),
    ("{\"$list\": {\"$list\": 1, \"times\": 1000}, \"times\": 1000}", "$.times", heavy),
    ("{\"$list\": [{\"$repeat\": \"x\", \"times\": 9000000}], \"times\": 1000}", "$.times", heavy),
    ("{\"$list\": \"${a\", \"times\": 1}", "$.$list", "'}' that closes the hole"),
    ("{\"$near\": \"${now}\"}", "$.within", "a value"),
    ("{\"$near\": \"${now}\", \"within\": \"soon\"}", "$.within", "a time such as 800ms or 2s"),
    ("{\"$near\": \"${now}\", \"within\": \"1s\", \"plus\": \"--1s\"}", "$.plus", "a time such as 1s or -1s"),
    ("{\"$near\": \"${now}\", \"within\": \"1s\", \"as\": \"days\"}", "$.as", "one of timestamp, epoch-ms, epoch-s"),
    ("{\"$status\": \"good\"}", "$.$status", "one of ok, redirect, refused, failed, error"),
    ("{\"$all-of\": []}", "$.$all-of", "at least one choice"),
    ("{\"a\": 1, \"$like\": \"b\"}", "$", "members, or operators alone"),
  ])
  func badSpellingsAreRefused(text: String, path: String, expected: String) throws {
    let json = try JSON(parsing: text)
    let problem = #expect(throws: JSONField.Problem.self) { try Template(json) }
    #expect(problem?.path.description == path)
    #expect(problem?.expected == expected)
  }

  @Test(arguments: [
    (#"{"$at-lest": 1}"#, "'$at-lest'", "did you mean \"$at-least\"?"),
    (#"{"$like": "a", "below": 1}"#, "'below'", "did you mean \"$below\"?"),
    (
      #"{"a": 1, "$like": "b"}"#, "the operator '$like' among members",
      "a member whose name begins with $ is spelled $$like"
    ),
    (#"{"$near": "${now}", "within": "1s", "pluss": "1s"}"#, "'pluss'", "did you mean \"plus\"?"),
  ])
  func aWordOutOfPlaceIsRefusedWithASuggestion(text: String, found: String, hint: String) throws {
    let json = try JSON(parsing: text)
    let problem = #expect(throws: JSONField.Problem.self) { try Template(json) }
    #expect(problem?.found == found)
    #expect(problem?.hint == hint)
  }

  @Test func namesAreListed() throws {
    let template = try Template(["a": "${x.y}", "b": ["$not": "${z:Link}"], "c": "<${x}>"])
    #expect(template.holeNames == ["x", "z"])
    #expect(template.modelNames == ["Link"])
    #expect(template.isMatchOnly)
    #expect(try !Template(["a": "${x}"]).isMatchOnly)
    #expect(template.source == ["a": "${x.y}", "b": ["$not": "${z:Link}"], "c": "<${x}>"])
  }
}
