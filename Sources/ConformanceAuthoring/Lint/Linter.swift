import ConformanceModel
import ConformanceSpec

/// Holds a catalogue against every rule that goes beyond one file.
package struct Linter: Sendable {
  /// Every rule, in the order in which they are explained.
  package static let rules: [LintRule] =
    identityRules + requirementRules + caseRules + referenceRules + checkRules + valueRules + labelRules + holeRules
    + explorationRules
    + defectRules + fixtureRules + serverRules
    + observationRules + preconditionRules + strengthRules + vocabularyRules + reachRules + awaitRules
    + certificationRules

  private let subject: LintSubject

  /// `checks` are those that cases may name, nil when they are not known; `strayFiles` are
  /// those that no reader takes.
  package init(_ sources: CatalogueSources, checks: [String: Check]? = nil, strayFiles: [String] = []) {
    subject = LintSubject(sources, checks: checks, strayFiles: strayFiles)
  }

  /// Everything that a rule finds, each once, in the order of files and lines. The rules are asked side by side.
  package func diagnostics() -> [Diagnostic] {
    Set(Self.rules.concurrentMap { $0.diagnostics(of: subject) }.joined()).sorted()
  }

  /// Reads a protocol's catalogue and holds it against every rule. The rules between files are only asked when every file
  /// can be read: what is missing from a broken file would be told many times.
  package static func lint(
    _ folder: CatalogueFolder, protocol name: String, checks: [String: Check]? = nil, schemas: SchemaSet? = nil
  ) async -> [Diagnostic] {
    let loader = CatalogueLoader(folder, schemas: schemas)
    do {
      let sources = try await loader.sources(of: name)
      return Linter(sources, checks: checks, strayFiles: loader.strayFiles(of: name)).diagnostics()
    } catch {
      return error.diagnostics
    }
  }
}
