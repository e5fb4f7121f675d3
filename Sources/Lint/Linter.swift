import Concurrency
import ConformancePack
import ConformanceSpec
import FrozenSets
import SpecDocuments

/// Checks a catalogue by the lint rules. They find mistakes that the reader of a single file cannot find.
package struct Linter: Sendable {
  /// All rules, in the order of the documentation.
  package static let rules: [LintRule] =
    identityRules + requirementRules + caseRules + referenceRules + checkRules + valueRules + labelRules + holeRules
    + explorationRules
    + defectRules + fixtureRules + serverRules
    + observationRules + preconditionRules + strengthRules + vocabularyRules + reachRules + awaitRules
    + certificationRules + frozenRules

  private let subject: LintSubject

  /// `checks` are the named checks that cases may use; nil if they are not known. `strayFiles` are files in the folder
  /// of the protocol that no part of the kit reads. If `frozen` is nil, the catalogue is not compared with frozen sets,
  /// since a case that is being changed need not match these sets.
  package init(
    _ sources: CatalogueSources, checks: [String: Check]? = nil, strayFiles: [String] = [], frozen: FrozenSets? = nil
  ) {
    subject = LintSubject(sources, checks: checks, strayFiles: strayFiles, frozen: frozen?.all ?? [])
  }

  /// All findings of the rules without repetitions, sorted by file and line. The rules run in parallel.
  package func diagnostics() -> [Diagnostic] {
    Set(Self.rules.concurrentMap { $0.diagnostics(of: subject) }.joined()).sorted()
  }

  /// Reads a protocol's catalogue and checks it by every rule. The rules run only if every file can be read, since one
  /// invalid file would cause many further findings.
  package static func lint(
    _ folder: CatalogueFolder, protocol name: String, checks: [String: Check]? = nil, schemas: SchemaSet? = nil
  ) async -> [Diagnostic] {
    let loader = CatalogueLoader(folder, schemas: schemas)
    do {
      let sources = try await loader.sources(of: name)
      let frozen = try FrozenSets(of: name, in: folder)
      return Linter(sources, checks: checks, strayFiles: loader.strayFiles(of: name), frozen: frozen).diagnostics()
    } catch {
      return error.diagnostics
    }
  }
}
