import ConformanceModel
import Synchronization
import Templates

/// The programs of one `server.yaml`, one for each dialect and each set of switched-on defects and variants. A program
/// is compiled when it is first used.
final class ServerPrograms: Sendable {
  private struct Key: Hashable {
    var dialect: Dialect
    var switches: Set<DefectID>
  }

  private let definition: ServerDefinition
  private let exchanges: [Exchange]
  private let models: Template.Models
  private let made = Mutex<[Key: ServerProgram]>([:])

  init(_ definition: ServerDefinition, of catalogue: Catalogue) {
    self.definition = definition
    (exchanges, models) = (catalogue.exchanges, catalogue.models)
  }

  func program(for dialect: Dialect, with switches: Set<DefectID>) -> ServerProgram {
    let key = Key(dialect: dialect, switches: switches)
    return made.withLock { made in
      if let program = made[key] { return program }
      let program = ServerProgram(
        definition, exchanges: exchanges, models: models, dialect: dialect, switches: switches)
      made[key] = program
      return program
    }
  }
}
