import ConformanceModel
import ConformanceSpec
import Foundation
import JSONKit
import Programs
import SpecDocuments
import Testing

/// A text that our reader accepts has the same value for PyYAML, since other tools read files of the catalogue, too.
///
/// PyYAML's pure parser is the strictest of those in use, and resolves plain scalars by YAML 1.1.
@Suite struct PyYAMLTests {
  /// Prints the value of each text of a JSON array in PyYAML: `{"value": …}`, or `{"error": …}`. A key or a value that
  /// JSON does not have becomes a text that no file contains.
  private static let program = """
    import json, math, sys, yaml
    def plain(value):
        if isinstance(value, dict):
            return {key if isinstance(key, str) else repr((key,)): plain(member) for key, member in value.items()}
        if isinstance(value, list):
            return [plain(element) for element in value]
        if isinstance(value, float):
            return value if math.isfinite(value) else repr((value,))
        return value if value is None or isinstance(value, (bool, int, str)) else repr((value,))
    def read(text):
        try:
            return {"value": plain(yaml.load(text, Loader=yaml.SafeLoader))}
        except Exception as error:
            return {"error": str(error)}
    with open(sys.argv[1], encoding="utf-8") as texts, open(sys.argv[2], "w", encoding="utf-8") as results:
        json.dump([read(text) for text in json.load(texts)], results)
    """

  private static func read(_ texts: [String]) async throws -> [JSON] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "conform-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (input, output) = (folder.appending(path: "texts"), folder.appending(path: "results"))
    try Data(JSON.strings(texts).compactBytes).write(to: input)
    let python = try StartedProgram(
      path: "/usr/bin/env", arguments: ["python3", "-c", program, input.path, output.path])
    try #require(await python.ending == .exited(code: 0), "python3 with PyYAML is needed; bin/test installs it")
    let results = try JSON(parsing: Data(contentsOf: output)).array
    return try #require(results)
  }

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func everyFileOfTheCatalogueReadsTheSame() async throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: "spec").path)
      .filter { $0.hasSuffix(".yaml") }.sorted()
    try #require(paths.count > 50)
    let texts = try paths.map { try String(contentsOf: Self.root.appending(path: "spec/\($0)"), encoding: .utf8) }
    for ((path, text), result) in zip(zip(paths, texts), try await Self.read(texts)) {
      let own = try SpecDocument(file: path, bytes: Array(text.utf8)).value
      let other = try #require(result["value"], "\(path): PyYAML says \(result)")
      #expect(own.asDoubles.isEquivalent(to: other.asDoubles), "\(path): PyYAML reads another value")
    }
  }

  /// Short texts of characters with a meaning in YAML, as an element, as a key and as a value of all kinds.
  @Test func whatIsTakenMeansTheSame() async throws {
    var random = SeededRandom(seed: 20_260_312)
    let characters = Array("0011289_..::--+?eExobTZ~<=!%@&*|>#'\"[]{},  \tnaif/ö\n")
    let words = [
      "no", "On", "true", "NULL", ".inf", "-.INF", ".nan", "2026-03-12", "2026-3-1t1:30:00", "0x1F", "1e3", "y",
    ]
    let texts = (0..<20_000).map { index -> String in
      let word =
        index % 4 == 0
        ? words[Int.random(in: words.indices, using: &random)]
        : String(
          (0...Int.random(in: 0..<6, using: &random)).map { _ in
            characters[Int.random(in: characters.indices, using: &random)]
          })
      return ["\(word)", "- \(word)", "a: \(word)", "[\(word)]", "{a: \(word), b}", "\(word): 1", "{ \(word): 1 }"][
        index % 7]
    }
    var taken = 0
    for (text, result) in zip(texts, try await Self.read(texts)) {
      guard let own = try? SpecDocument(file: "a.yaml", bytes: Array(text.utf8)).value else { continue }
      taken += 1
      #expect(
        result["value"].map(own.asDoubles.isEquivalent) == true,
        "\(JSON.string(text)): \(own), but PyYAML says \(result)")
    }
    #expect(taken > 3_000)
  }
}

extension JSON {
  /// The value with the nearest doubles in place of fractions, since PyYAML has no other numbers.
  fileprivate var asDoubles: JSON {
    switch self {
    case .number(let number) where !number.isInteger: JSON.Number(number.double).map(JSON.number) ?? self
    case .array(let elements): .array(elements.map(\.asDoubles))
    case .object(let object): .object(.init(object.members.map { .init(key: $0.key, value: $0.value.asDoubles) }))
    default: self
    }
  }
}
