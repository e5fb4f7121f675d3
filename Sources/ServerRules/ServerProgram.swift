import ConformanceModel
import ConformanceTranscript
import JSONKit
import Templates

/// The rules of `server.yaml`, compiled for the exchanges of one dialect. The program contains the rules for each
/// exchange, in their order, and the names for which each template needs a value.
package final class ServerProgram: Sendable {
  /// A template, and those names of its holes whose values the server computes.
  struct Expression: Sendable {
    var template: Template
    var names: [ServerName]

    /// `known` decides whether a name gets its value before the template is compared. A hole with such a name never
    /// captures a value. If the name has no value after all, the hole does not match.
    init(_ template: Template, known: (String) -> Bool = { _ in false }) {
      let asked = template.fullHoleNames.compactMap { ServerName($0) }
      names = asked.compactMap { name in
        guard name.isPlain else { return name }
        return known(name.text) ? ServerName(known: name.text) : nil
      }
      self.template = Template(
        template.node.mapHoles { hole in
          guard let name = hole.name, ServerName(name)?.isPlain == true, known(name) else { return hole }
          return Template.Hole(name: ".\(name)", kind: hole.kind)
        }, source: template.source)
    }
  }

  struct Assignment: Sendable {
    var name: String
    var expression: Expression

    init(_ entry: ServerDefinition.Entry) {
      name = entry.name
      expression = Expression(entry.template)
    }
  }

  struct Condition: Sendable {
    /// The name whose value the condition compares; nil if this name can never have a value.
    var name: ServerName?
    var expression: Expression

    init(_ entry: ServerDefinition.Entry) {
      name = ServerName(entry.name)
      expression = Expression(entry.template) { _ in true }
    }
  }

  struct State: Sendable {
    /// The names whose values form the key of the state; nil if the key cannot be computed, since the names lead back
    /// to the state itself.
    var scope: [ServerName]?
    var initial: JSON?
    var lifetime: LogicalTime?
  }

  enum Effect: Sendable {
    case add(Int, Expression)
    case append(Int, Expression)
    case include(Int, Expression)
    case exclude(Int, Expression)
    case keep([(state: Int, expression: Expression)])
    case expire(Int)
    case forget(Int)
  }

  struct Change: Sendable {
    var loop: (list: Expression, variable: String)?
    var conditions: [Condition]
    var definitions: [Assignment]
    var effects: [Effect]
    var further: [Change]
  }

  struct Answer: Sendable {
    /// The place of the answer in `server.yaml`, for error messages.
    var place: String
    var response: Exchange.Response
    var edits: [Step.Edit]
    var headers: [String: Template?]
    var status: Int?
    /// The names in `edits` and `headers` whose values the server computes.
    var names: [ServerName]
  }

  struct Rule: Sendable {
    var request: Expression?
    var change: Change
    var holes: [Assignment]
    var answer: Answer?
  }

  /// The template of one part of a request. Its holes capture values.
  struct Part: Sendable {
    var template: Template
    /// The same template with holes that accept values of any kind.
    var loose: Template
    var names: [String]

    init(_ template: Template) {
      self.template = template
      loose = template.ofAnyKind
      names = template.holeNames
    }
  }

  /// An exchange, the parts of its request that capture values, and the rules for it.
  struct Route: Sendable {
    var name: String
    var path: Part
    var query: [(name: String, part: Part)]
    var headers: [(name: String, part: Part)]
    var body: Part?
    var bindings: Bindings
    var rules: [Rule]
    /// The members of the request that the rules examine; nil if the rules can examine any member.
    var asked: Set<String>?
    /// The server's answer if no rule gives one.
    var fallback: Answer?
  }

  struct Alternative: Sendable {
    var change: Change
    /// The result of the command, or the error with which it fails.
    var outcome: Result<Expression, CommandError>
  }

  /// The name of the server's file in messages about mistakes in it, or `the golden answers` for a server without
  /// rules.
  let origin: String
  let isLenient: Bool
  let table: ExchangeTable
  let models: Template.Models
  let values: Bindings
  let states: [State]
  let stateNumbers: [String: Int]
  let routes: [String: Route]
  let operations: [String: [Alternative]]
  /// The memory with the initial values of the states.
  let memory: ServerMemory

  /// Compiles the rules. A rule with a mistake has no effect and does not stop the server, and `conform lint` reports
  /// the mistake. `switches` are the defects and variants that are on.
  package init(
    _ definition: ServerDefinition, exchanges: [Exchange], models: Template.Models, dialect: Dialect,
    switches: Set<DefectID> = []
  ) {
    origin = definition.rules.isEmpty ? "the golden answers" : "server.yaml"
    isLenient = definition.isLenient
    table = ExchangeTable(exchanges, dialect: dialect)
    self.models = models
    values = definition.values
    let compiler = ServerCompiler(definition, dialect: dialect, switches: switches)
    stateNumbers = compiler.numbers
    states = compiler.states
    memory = compiler.memory
    routes = Dictionary(
      exchanges.compactMap { compiler.route(of: $0).map { ($0.name, $0) } }, uniquingKeysWith: { first, _ in first })
    operations = Dictionary(
      definition.operations.map { ($0.command, compiler.alternatives(of: $0)) }, uniquingKeysWith: { first, _ in first }
    )
  }
}

extension Template {
  /// The template with holes that accept values of any kind.
  var ofAnyKind: Template {
    Template(node.mapHoles { Hole(name: $0.name, kind: .any) }, source: source)
  }
}
