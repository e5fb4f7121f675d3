import ConformanceModel
import ConformanceSpec
import FoundationEssentials
import JSONKit
import SpecDocuments
import Testing

/// The fixtures of the runner in `Fixtures/runner`, written for the toy protocol Beacon.
///
/// - `valid-pass`: files of cases that the sound subjects pass.
/// - `valid-fail`: files of cases that the same subjects fail. A file beside each contains the expected result of each
///   case, by name: the requirement, its claim, and the finding, or the reason why it is unjudged.
/// - `invalid`: changes that lint must refuse, each with the lint rule, the line, the field and the sentence.
enum RunnerFixtures {
  static let folder = "\(BeaconStation.repository)/Fixtures/runner"

  /// The files of a kind by name, without their endings.
  static func files(_ kind: String) throws -> [(name: String, document: SpecDocument)] {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(kind)").sorted()
    return try names.filter { $0.hasSuffix(".yaml") }.map { name in
      let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(kind)/\(name)"))
      let document = try SpecDocument(file: "Fixtures/runner/\(kind)/\(name)", bytes: Array(bytes))
      return (String(name.dropLast(".yaml".count)), document)
    }
  }

  /// Beacon without its own cases, and without the defects that these must detect.
  static func bareTexts() throws -> [String: String] {
    try BeaconStation.texts().filter { path, _ in
      !path.hasPrefix("spec/beacon/cases/") && !path.hasPrefix("spec/beacon/defects/")
    }
  }

  /// Beacon with the cases of these kinds in place of its own.
  static func texts(_ kinds: [String]) throws -> [String: String] {
    var texts = try bareTexts()
    for kind in kinds {
      for file in try caseFiles(kind) {
        let path = "\(folder)/\(kind)/\(file.name).yaml"
        texts["spec/beacon/cases/\(kind)-\(file.name).yaml"] = try String(
          contentsOf: URL(filePath: path), encoding: .utf8)
      }
    }
    return texts
  }

  private static func caseFiles(_ kind: String) throws -> [(name: String, document: SpecDocument)] {
    try files(kind).filter { !$0.name.hasSuffix(".expected") }
  }

  /// The runs of all cases of a kind: `case`, or `case[row]`.
  static func runs(_ kind: String) throws -> [String] {
    try caseFiles(kind).flatMap { file in
      (file.document.value["cases"]?.array ?? []).flatMap { one -> [String] in
        let name = one["case"]?.string ?? ""
        return one["rows"]?.array?.map { "\(name)[\($0["row"]?.string ?? "")]" } ?? [name]
      }
    }
  }
}

/// The expected result of a case of `valid-fail`.
struct ExpectedFailure: Sendable, CustomTestStringConvertible {
  /// The case, and its row.
  var run: String
  var requirement: RequirementID
  /// The number of the claim, counted from 1.
  var claim: Int
  /// The findings, without the entries that show them; empty if the case is unjudged.
  var findings: [String]
  /// A part of the reason why the case is unjudged.
  var reason: String?

  var testDescription: String { run }

  static func all() throws -> [ExpectedFailure] {
    try RunnerFixtures.files("valid-fail").filter { $0.name.hasSuffix(".expected") }.flatMap { file in
      try file.document.root.members().map { run, field in
        ExpectedFailure(
          run: run, requirement: RequirementID(try field.required("requirement").string()),
          claim: try field.required("claim").int(),
          findings: try field.optional("findings")?.elements().map { try $0.string() } ?? [],
          reason: try field.optional("unjudged")?.string())
      }
    }
  }
}

/// A change of Beacon that lint must refuse.
struct InvalidFixture: Sendable, CustomTestStringConvertible {
  /// The file for the case of a fixture.
  private static let caseFile = "spec/beacon/cases/invalid.yaml"

  var rule: String
  var severity: Diagnostic.Severity
  var file: String
  var line: Int
  var field: String
  /// A part of the sentence.
  var says: String
  var texts: [String: String]

  var testDescription: String { "\(rule) \(file):\(line) \(field)" }

  static func all() throws -> [InvalidFixture] {
    let bare = try RunnerFixtures.bareTexts()
    return try RunnerFixtures.files("invalid").flatMap { file in
      try file.document.root.required("tests").elements().map { try InvalidFixture($0, of: bare) }
    }
  }

  private init(_ test: JSONField, of bare: [String: String]) throws {
    rule = try test.required("rule").string()
    severity = try test.optional("severity")?.word(Diagnostic.Severity.self) ?? .error
    line = try test.required("line").int()
    field = try test.required("field").string()
    says = try test.required("says").string()
    texts = bare
    file = try test.optional("file")?.string() ?? Self.caseFile
    if let text = try test.optional("case")?.string() {
      // Some lint rules apply only to many cases.
      let times = try test.optional("times")?.int() ?? 1
      let cases = (1...times).map { number in
        times == 1 ? text : text.replacing("case: invalid", with: "case: invalid-\(number)")
      }
      let lines = cases.joined(separator: "\n").split(separator: "\n")
      texts[Self.caseFile] = "kit: 2\ncases:\n" + lines.map { "  \($0)\n" }.joined()
    }
    if let change = test.optional("change") {
      let path = try change.required("in").string()
      let old = try change.required("from").string()
      try #require(texts[path]?.contains(old) == true, "'\(old)' is not in \(path)")
      texts[path] = texts[path]?.replacing(old, with: try change.required("to").string(), maxReplacements: 1)
    }
    if let addition = test.optional("add") {
      texts[try addition.required("to").string(), default: ""] += try addition.required("text").string()
    }
  }
}
