import ConformanceModel
import ConformanceSpec
import JSONKit

/// The number of cases in which an app calls each command in each phase of its life, and the number of cases in which
/// each change happens in each phase.
package struct CommandMoments {
  /// The phase of the app's life in which a command is called.
  package enum Moment: String, CaseIterable, Sendable {
    case before, during, reply, failure, clear, reset, launch, offline

    var text: String {
      switch self {
      case .before: "before the subject is set up"
      case .during: "while it is being set up"
      case .reply: "directly after a reply or a callback"
      case .failure: "after something that it asked a server for has failed"
      case .clear: "after what is stored was wiped"
      case .reset: "after the subject was reset"
      case .launch: "in a later launch on the same storage"
      case .offline: "while there is no network"
      }
    }
  }

  /// The table of commands with the reasons of `coverage.yaml`.
  package let grid: CoverageGrid
  /// The table of commands without these reasons.
  package let bare: CoverageGrid
  /// The table of the changes that happen in each phase and are followed by an act of the app, with the reasons.
  package let changes: CoverageGrid
  /// The names of the cells without a case, in the tables of commands and of changes. A cell with a reason is included.
  package let openCells: [String]

  package init(_ sources: CatalogueSources) {
    self.init(sources, scenarios: sources.scenarioSites)
  }

  package init(_ sources: CatalogueSources, scenarios: [ScenarioSite]) {
    let definition = sources.definition.value
    let driven = definition.drivenRoles
    let failing = Self.failingResponses(sources)
    let kinds = LifeChange.Kinds(definition)
    var cases: [String: [Moment: Set<CaseID>]] = [:]
    var changed: [Moment: [LifeChange: Set<CaseID>]] = [:]
    for site in scenarios where driven.contains(site.role) {
      var walk = AppLife(definition, failing: failing, kinds: kinds)
      walk.pass(site)
      for (moment, change) in walk.changes {
        changed[moment, default: [:]][change, default: []].insert(site.located.value.id)
      }
      for call in walk.calls {
        for moment in call.moments {
          cases[call.command, default: [:]][moment, default: []].insert(site.located.value.id)
        }
      }
    }
    let commands = definition.commands.filter { command in command.roles.contains(where: driven.contains) }
    let known = Moment.allCases.map { Self.exists($0, definition) }
    let rows = commands.map { command in
      let cells = zip(Moment.allCases, known).map { moment, exists in
        exists ? CoverageGrid.Cell(count: cases[command.name]?[moment]?.count ?? 0, reason: nil) : nil
      }
      return CoverageGrid.Row(group: "", name: command.name, cells: cells)
    }
    let columns = Moment.allCases.map { CoverageGrid.Column(name: $0.rawValue, heading: $0.rawValue, text: $0.text) }
    bare = CoverageGrid(columns: columns, rows: rows, unit: "cases")
    let between = CoverageGrid(
      columns: LifeChange.allCases.map { .init(name: $0.rawValue, heading: $0.heading, text: $0.text) },
      rows: zip(Moment.allCases, known).map { moment, exists in
        let cells = LifeChange.allCases.map { change in
          exists && kinds.known.contains(change)
            ? CoverageGrid.Cell(count: changed[moment]?[change]?.count ?? 0, reason: nil) : nil
        }
        return CoverageGrid.Row(group: "", name: moment.rawValue, cells: cells)
      }, unit: "cases")
    let reasons = sources.coverage.moments.map(\.value)
    grid = bare.explained(by: reasons)
    changes = between.explained(by: reasons)
    openCells = bare.openCells + between.openCells
  }

  private static func exists(_ moment: Moment, _ definition: ProtocolDefinition) -> Bool {
    switch moment {
    case .before, .during: !definition.moments.setUp.isEmpty
    case .clear: !definition.moments.clear.isEmpty
    case .reset: !definition.moments.reset.isEmpty
    case .failure, .offline: definition.drivenRoles.contains { !definition.ports(of: $0).upstream.isEmpty }
    case .reply, .launch: true
    }
  }

  /// The golden answers with an error status, as pairs of an exchange's name and a response's name.
  private static func failingResponses(_ sources: CatalogueSources) -> Set<[String]> {
    Set(
      sources.exchanges.flatMap { located in
        located.value.responses.filter { $0.value.values.contains { $0.status >= 400 } }.map {
          [located.value.name, $0.key]
        }
      })
  }
}
