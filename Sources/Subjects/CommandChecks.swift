import ConformanceModel
import JSONKit

/// The schemas of the parameters and results of operator commands.
package struct CommandChecks: Sendable {
  /// The names of the commands, in the order of the protocol.
  package let commands: [String]
  private let params: [String: JSONSchema]
  private let results: [String: JSONSchema]

  package init(operatorsOf definition: ProtocolDefinition) throws {
    var params: [String: JSONSchema] = [:]
    var results: [String: JSONSchema] = [:]
    for command in definition.operatorCommands {
      params[command.name] = try JSONSchema(command.params)
      results[command.name] = try JSONSchema(command.result)
    }
    commands = definition.operatorCommands.map(\.name)
    self.params = params
    self.results = results
  }

  /// The problems in the parameters of a command.
  package func problems(inParams value: JSON, of command: String) -> [JSONField.Problem] {
    params[command]?.validate(value) ?? []
  }

  package func problems(inResult value: JSON, of command: String) -> [JSONField.Problem] {
    results[command]?.validate(value) ?? []
  }
}
