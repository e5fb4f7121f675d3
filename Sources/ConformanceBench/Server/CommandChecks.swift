import ConformanceModel
import JSONKit

/// What a protocol demands of the commands for operators: the schemas of their parameters and results.
package struct CommandChecks: Sendable {
  /// Their names, in the order of the protocol.
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

  /// What is wrong with the parameters of a command.
  package func problems(inParams value: JSON, of command: String) -> [JSONField.Problem] {
    params[command]?.validate(value) ?? []
  }

  /// What is wrong with the result of a command.
  package func problems(inResult value: JSON, of command: String) -> [JSONField.Problem] {
    results[command]?.validate(value) ?? []
  }
}
