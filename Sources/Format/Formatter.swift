import ConformanceSpec
import JSONKit
import SpecDocuments
import TextKit

/// The canonical form of catalogue files. A formatted text parses to the same value as before, and formatting the text
/// again does not change it.
///
/// JSON is printed anew. YAML keeps its comments and its layout: only line ends, white space at the ends of lines and
/// the end of the file are corrected. Wrong indentation and order are reported, so that a person corrects them.
package struct Formatter: Sendable {
  /// A file in canonical form.
  package struct Formatted: Sendable {
    /// The path from the catalogue's root.
    package let file: String
    /// The canonical text.
    package let text: String
    /// The first line that changed; nil if the file was canonical already.
    package let firstChange: Int?
    /// Problems that only a person can correct.
    package let diagnostics: [Diagnostic]

    /// The complaints of a check: the first change, and problems that only a person can correct.
    package var complaints: [Diagnostic] {
      let change = firstChange.map {
        Diagnostic(
          rule: "format", file: file, line: $0, column: 1, expected: "the canonical form", found: "another",
          hint: "run conform fmt")
      }
      return [change].compactMap { $0 } + diagnostics
    }
  }

  private let folder: CatalogueFolder

  package init(_ folder: CatalogueFolder) { self.folder = folder }

  /// Every known file of a protocol in canonical form. Throws the syntax errors of all files.
  package func files(of protocolName: String) throws(CatalogueError) -> [Formatted] {
    var results: [Formatted] = []
    var errors: [Diagnostic] = []
    for file in folder.files(of: protocolName).known where folder.owns(file) {
      do {
        results.append(try Self.format(file: file.place, bytes: try folder.bytes(of: file.path)))
      } catch {
        errors.append(error)
      }
    }
    guard errors.isEmpty else { throw CatalogueError(errors) }
    return results
  }

  /// The width of the lines of a schema. A schema consists of small objects, each of which is easy to read on one line.
  private static let schemaWidth = 120

  /// One file in canonical form, as JSON if its name ends in `.json`, else as YAML. Throws a syntax error.
  package static func format(file: String, bytes: [UInt8]) throws(Diagnostic) -> Formatted {
    let document = try SpecDocument(file: file, bytes: bytes)
    let old = String(decoding: bytes, as: UTF8.self)
    guard !file.hasSuffix(".json") else {
      let isSchema = file.hasSuffix(".schema.json")
      let text = isSchema ? document.value.prettyText(width: schemaWidth) : document.value.prettyText
      return Formatted(file: file, old: old, new: text + "\n", diagnostics: [])
    }
    let lines = YAMLLines(old)
    let trimmed = lines.trimmed
    let complaints = indentation(of: document, lines) + order(in: document)
    guard let again = try? SpecDocument(file: file, bytes: Array(trimmed.utf8)), again.value == document.value else {
      let finding = meaningfulSpace(in: document, lines)
      return Formatted(file: file, old: old, new: old, diagnostics: [finding] + complaints)
    }
    return Formatted(file: file, old: old, new: trimmed, diagnostics: complaints)
  }

  /// The problem with a value, such as a block text, that contains white space at the end of a line. Only the first
  /// such line is reported.
  private static func meaningfulSpace(in document: SpecDocument, _ lines: YAMLLines) -> Diagnostic {
    let line = lines.untidy.first { number in
      let text = lines.trimmed(only: number)
      let again = try? SpecDocument(file: document.file, bytes: Array(text.utf8))
      return again?.value != document.value
    }
    return Diagnostic(
      rule: "format", file: document.file, line: line ?? lines.count, column: 1,
      expected: "no white space that means something at the end of a line", found: "some",
      hint: "write the text in double quotes")
  }

  /// Problems about lines that begin a value and are not indented by a multiple of two.
  private static func indentation(of document: SpecDocument, _ lines: YAMLLines) -> [Diagnostic] {
    let starts = Set(document.place.positions)
    return lines.indentations.enumerated().compactMap { index, width in
      // The place of an element is the place of its value, after the dash.
      let isStart = [width + 1, width + 3].contains { starts.contains(.init(line: index + 1, column: $0)) }
      guard width % 2 == 1, isStart else { return nil }
      return Diagnostic(
        rule: "format", file: document.file, line: index + 1, column: 1, expected: "an indentation by twos",
        found: "\(width) spaces")
    }
  }

  /// Problems about requirements, positions, defects and variants that are not sorted by id.
  private static func order(in document: SpecDocument) -> [Diagnostic] {
    ["requirements", "positions", "defects", "variants"].compactMap { list in
      let ids = document.value[list]?.array?.map { $0["id"]?.string ?? "" } ?? []
      let pairs = zip(ids, ids.dropFirst()).enumerated()
      guard let (index, pair) = pairs.first(where: { $1.1.precedesByNumber($1.0) }) else { return nil }
      let path = JSONPath([.key(list), .index(index + 1), .key("id")])
      return document.diagnostic(
        .init(path: path, expected: "the \(list) in the order of their ids", found: "'\(pair.1)' after '\(pair.0)'"),
        rule: "format")
    }
  }
}

extension Formatter.Formatted {
  init(file: String, old: String, new: String, diagnostics: [Diagnostic]) {
    self.file = file
    text = new
    self.diagnostics = diagnostics
    let (before, after) = (YAMLLines.bytes(of: old), YAMLLines.bytes(of: new))
    let same = zip(before, after).prefix { $0 == $1 }.count
    firstChange = before == after ? nil : min(same + 1, before.count)
  }
}

extension SpecDocument.Place {
  /// The position of this document, and the positions of all its parts.
  fileprivate var positions: [SpecDocument.Position] { [position] + children.flatMap(\.positions) }
}
