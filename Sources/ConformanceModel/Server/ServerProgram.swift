import JSONKit

/// A server as data, made ready for the exchanges of one dialect: who is asked in which order, and what each template
/// needs to know.
package final class ServerProgram: Sendable {
  /// A template, and the names in it that the server gives a value.
  struct Expression: Sendable {
    var template: Template
    var names: [ServerName]

    /// Names that are `known` are never captured: where they have no value they match nothing.
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
    /// nil for a name that nothing can have a value by.
    var name: ServerName?
    var expression: Expression

    init(_ entry: ServerDefinition.Entry) {
      name = ServerName(entry.name)
      expression = Expression(entry.template) { _ in true }
    }
  }

  struct State: Sendable {
    /// nil for a key that cannot be told.
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
    /// What it is called in `server.yaml`.
    var place: String
    var response: Exchange.Response
    var edits: [Step.Edit]
    var headers: [String: Template?]
    var status: Int?
    /// The names in edits and headers that the server gives a value.
    var names: [ServerName]
  }

  struct Rule: Sendable {
    var request: Expression?
    var change: Change
    var holes: [Assignment]
    var answer: Answer?
  }

  /// A part of a request whose holes tell something.
  struct Part: Sendable {
    var template: Template
    /// The same with holes that take values of any kind.
    var loose: Template
    var names: [String]

    init(_ template: Template) {
      self.template = template
      loose = template.ofAnyKind
      names = template.holeNames
    }
  }

  /// An exchange, what its request tells, and the rules for it.
  struct Route: Sendable {
    var name: String
    var path: Part
    var query: [(name: String, part: Part)]
    var headers: [(name: String, part: Part)]
    var body: Part?
    var bindings: Bindings
    var rules: [Rule]
    /// The members of the request that the rules look at; nil for all.
    var asked: Set<String>?
    /// What is answered where no rule does.
    var fallback: Answer?
  }

  struct Alternative: Sendable {
    var change: Change
    /// The result, or why the command fails.
    var outcome: Result<Expression, CommandError>
  }

  /// Where a mistake in what it answers is to be looked for.
  let origin: String
  let isLenient: Bool
  let table: ExchangeTable
  let models: Template.Models
  let values: Bindings
  let states: [State]
  let stateNumbers: [String: Int]
  let routes: [String: Route]
  let operations: [String: [Alternative]]
  /// What is known from the start.
  let memory: ServerMemory

  /// A mistake in the data, which lint finds, makes a rule that does nothing; it never stops the server. With `switches`
  /// it has these defects and variants.
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
  /// The template with holes that take values of any kind.
  var ofAnyKind: Template {
    Template(node.mapHoles { Hole(name: $0.name, kind: .any) }, source: source)
  }
}
