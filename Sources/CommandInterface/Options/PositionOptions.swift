import ArgumentParser
import ConformanceModel
import ConformanceRunner
import TextKit

/// The option that switches off positions of the kit.
package struct PositionOptions: ParsableArguments {
  package init() {}

  @Option(
    name: .customLong("without-position"),
    help: ArgumentHelp(
      """
      Switch off this position of the kit: violations of its requirements do not fail the run. For several, repeat the \
      option or use commas.
      """, valueName: "id"),
    completion: NameCompletion.positions)
  var positions: [ListArgument<String>] = []

  /// The names of the positions that are switched off.
  package var switchedOff: [String] { positions.values() }

  /// The catalogue without the positions that are switched off.
  package func applied(to catalogue: Catalogue) throws -> Catalogue {
    let known = catalogue.positions.map(\.id.rawValue)
    for id in switchedOff where !known.contains(id) {
      if let hint = CatalogueNameKind.hint(for: id, in: catalogue) {
        throw BadInput("unknown position '\(id)'; \(hint)")
      }
      throw BadInput.unknown("position", id, known, list: "positions")
    }
    return catalogue.without(Set(switchedOff.map { PositionID($0) }))
  }

  /// The options as words of a command line.
  package var words: [String] { switchedOff.flatMap { ["--without-position", $0] } }
}
