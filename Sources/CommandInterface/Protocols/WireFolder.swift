import ConformanceModel
import ConformanceSpec
import FoundationEssentials
import JSONKit
import SpecDocuments

/// A folder of exchanges in the format of `Fixtures/<protocol>/exchanges`. If the messages of a subject have a
/// different form from those in the catalogue, the folder describes the form of this subject (`--wire`).
package struct WireFolder {
  private static let rule = "wire"
  private let folder: String
  private let schemas: SchemaSet

  package init(_ folder: String, schemas: CatalogueFolder) throws {
    self.folder = folder
    self.schemas = try SchemaSet(schemas)
  }

  /// The exchanges of the folder. Each of them replaces the exchange of the catalogue with the same name. Throws one
  /// error with all problems.
  package func exchanges(for catalogue: Catalogue) throws(CatalogueError) -> [Exchange] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }
    guard !names.isEmpty else {
      throw CatalogueError([
        Diagnostic(
          rule: Self.rule, file: folder,
          expected: "exchanges in files NAME.json, as in Fixtures/\(catalogue.definition.name)/exchanges", found: "none"
        )
      ])
    }
    let reader = SpecFileReader(folder: CatalogueFolder(root: folder, shownAs: folder), schemas: schemas)
    let vocabulary = CaseVocabulary(catalogue.definition, states: [])
    var exchanges: [Exchange] = []
    var diagnostics: [Diagnostic] = []
    for name in names.sorted() {
      let file = SpecFile(kind: .exchange, path: name, place: "\(folder)/\(name)")
      do throws(CatalogueError) {
        for located in try reader.part(of: file, definition: catalogue.definition, vocabulary).exchanges {
          diagnostics += Self.problems(of: located, in: catalogue)
          exchanges.append(located.value)
        }
      } catch {
        diagnostics += error.diagnostics
      }
    }
    guard diagnostics.isEmpty else { throw CatalogueError(diagnostics) }
    return exchanges
  }

  /// The reasons why an exchange cannot replace the protocol's exchange with the same name: for example, values or
  /// answers of that exchange are missing in it.
  private static func problems(of located: Located<Exchange>, in catalogue: Catalogue) -> [Diagnostic] {
    let exchange = located.value
    func finding(_ key: String, _ expected: String, _ found: String, hint: String? = nil) -> Diagnostic {
      located.document.diagnostic(
        .init(path: located.path.appending(key: key), expected: expected, found: found, hint: hint), rule: rule)
    }
    guard let known = catalogue.exchange(exchange.name) else {
      let names = catalogue.exchanges.map(\.name)
      return [
        finding(
          "exchange", "an exchange of '\(catalogue.definition.name)'", "'\(exchange.name)'",
          hint: Nearest.suggestion(for: exchange.name, in: names))
      ]
    }
    guard known.service == exchange.service else {
      return [finding("at", "'\(known.service)', as the protocol has it", "'\(exchange.service)'")]
    }
    let unsaid = catalogue.definition.dialects.flatMap { dialect -> Set<String> in
      let told = Set(exchange.request(in: dialect)?.holeNames ?? [])
      return Set(known.request(in: dialect)?.holeNames ?? []).subtracting(told)
    }
    let holes = Set(unsaid).sorted().map { finding("request", "a place for ${\($0)}", "none") }
    let answers = known.responses.keys.filter { exchange.responses[$0] == nil }.sorted().map {
      finding("responses", "the answer '\($0)'", "none")
    }
    return holes + answers
  }
}
