import ArgumentParser
import ConformanceJudge
import ConformanceModel
import ConformanceRunner

/// `conform list`: what there is.
struct ListCommand: AsyncParsableCommand {
  /// What can be listed.
  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case cases, requirements, positions, features, commands, capabilities, defects, variants, checks, dialects, gates
    case protocols
  }

  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Shows what the catalogue holds, a line each.",
    discussion: """
      Examples:
        conform list                      every case that a run would perform
        conform list requirements --role server
        conform list cases --feature 13
        conform list defects
      """)

  @Argument(
    help:
      "cases, requirements, positions, features, commands, capabilities, defects, variants, checks, dialects, gates or protocols."
  )
  var subject = Subject.cases

  @OptionGroup var catalogueOptions: CatalogueOptions
  @OptionGroup var selectionOptions: SelectionOptions

  func run() async throws {
    if subject == .protocols { return try protocols().forEach { Terminal.output($0 + "\n") } }
    // They stand in code: whoever mends a catalogue that names a wrong one needs the list.
    if subject == .checks { return try checks().forEach { Terminal.output($0 + "\n") } }
    let catalogue = try await catalogueOptions.catalogue()
    try selectionOptions.selection(selectionOptions.role.map { [$0] } ?? []).check(against: catalogue)
    for line in try lines(catalogue) { Terminal.output(line + "\n") }
  }

  private func lines(_ catalogue: Catalogue) throws -> [String] {
    switch subject {
    case .cases: try cases(catalogue)
    case .requirements:
      catalogue.requirements.filter {
        isWanted($0.role) && selectionOptions.selection([]).includes($0, in: catalogue.definition)
      }.map {
        "\($0.id)\t\($0.level.rawValue)\t\($0.basis.rawValue)\t\($0.text)"
      }
    case .positions:
      catalogue.positions.map { position in
        let rules = catalogue.requirements.filter { $0.positions.contains(position.id) }.map(\.id.rawValue)
        return "\(position.id)\t\(rules.joined(separator: " "))\t\(position.gap) \(position.text)"
      }
    case .features: catalogue.definition.features.map { "\($0.number)\t\($0.name)" }
    case .defects:
      catalogue.defects.filter { isWanted($0.side) }.map {
        "\($0.id)\t\($0.side.rawValue)\tbreaks \($0.breaks.list)\tnoticed by \($0.caseName ?? "any case")\t\($0.text)"
      }
    case .variants: catalogue.variants.filter { isWanted($0.side) }.map { "\($0.id)\t\($0.side.rawValue)\t\($0.text)" }
    case .commands:
      catalogue.definition.commands.filter { $0.roles.contains(where: isWanted) }
        .map { "\($0.name)\t\($0.capabilities.joined(separator: " "))\t\($0.text)" }
    case .capabilities:
      catalogue.definition.capabilities.filter { $0.roles.contains(where: isWanted) }.map {
        "\($0.name)\t\($0.isRequired ? "required" : "optional")\t\($0.text)"
      }
    case .gates: Gate.allCases.map(\.rawValue)
    case .dialects: catalogue.definition.dialects.map(\.rawValue)
    case .checks, .protocols: []
    }
  }

  private func protocols() throws -> [String] {
    try catalogueOptions.sourceOptions.known().map { source in
      let code = Packs.haveCode(of: source.name) ? "data, and references in code" : "data alone"
      return "\(source.name)\t\(source.place)\t\(code)"
    }
  }

  private func checks() throws -> [String] {
    try catalogueOptions.source().allChecks.sorted { $0.key < $1.key }.map { name, check in
      let members = check.parameters.map { $0.isRequired ? $0.name : "\($0.name)?" }
      return "\(name)\t\(members.isEmpty ? "" : "with \(members.joined(separator: ", "))")\t\(check.text)"
    }
  }

  private func isWanted(_ role: Role) -> Bool { selectionOptions.role.map { $0 == role } ?? true }

  private func cases(_ catalogue: Catalogue) throws -> [String] {
    let roles = selectionOptions.role.map { [$0] } ?? catalogue.definition.roleNames
    var lines: [String] = []
    var failure: SelectionError?
    for role in roles {
      do throws(SelectionError) {
        let plan = try Plan(catalogue: catalogue, selection: selectionOptions.selection([role]))
        lines += plan.items.map { item in
          "\(item.instance)\t\(item.testCase.title)\t\(item.requirements.map(\.id.rawValue).joined(separator: " "))"
        }
      } catch {
        failure = error
      }
    }
    if lines.isEmpty, let failure { throw failure }
    return lines
  }
}
