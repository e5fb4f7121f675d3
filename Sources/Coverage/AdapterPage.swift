import ConformanceModel
import ConformanceSpec
import JSONKit
import Templates

/// A page in Markdown for authors of adapters of one protocol: the members of `hello`, the effect of each capability,
/// and the parameters and results of each command. The page is made from `protocol.yaml` and the cases.
package struct AdapterPage {
  private let catalogue: Catalogue
  private let roles: Set<Role>

  package init(_ catalogue: Catalogue) {
    self.catalogue = catalogue
    roles = Set(catalogue.definition.drivenRoles)
  }

  private var definition: ProtocolDefinition { catalogue.definition }

  package var text: String {
    ([introduction, capabilities, commands, requests, surroundings, errors, times] as [String?]).compactMap(\.self)
      .joined(separator: "\n\n") + "\n"
  }

  private var introduction: String {
    """
    # The adapter of an SDK: \(definition.title)

    This page is for authors of an adapter. `conform explain adapter --protocol \(definition.name)` writes it.
    `spec/kit/adapter-protocol.md` describes the part that all adapters have in common; this page adds the protocol.
    `conform init adapter --language python --protocol \(definition.name)` writes an adapter with empty functions.

    `hello` has `"protocol": \(quoted(definition.name))` and `"specRevision": \(quoted(definition.revision))`. \(dialects)
    """
  }

  private var dialects: String {
    let names = definition.dialects.map { "`\($0)`" }.joined(separator: ", ")
    return definition.dialects.count == 1
      ? "Servers have one dialect, \(names)."
      : "Servers have the dialects \(names). An SDK that does not support all of them lists its own in `dialects`."
  }

  // MARK: Capabilities

  private var capabilities: String? {
    // If an adapter and a called subject play a role together, the adapter does not declare the capabilities of the
    // called subject.
    let own = Set(definition.drivenRoles.compactMap { definition.parts(of: $0).driven })
    let known = definition.capabilities.filter { !own.isDisjoint(with: $0.roles) }
    guard !known.isEmpty else { return nil }
    let rows = (known.filter(\.isRequired) + known.filter { !$0.isRequired }).map { one in
      [
        "`\(one.name)`", one.isRequired ? "required" : "", one.text,
        definition.commands.filter { $0.capabilities.contains(one.name) }.map { "`\($0.name)`" }.joined(separator: " "),
        String(cases.count { $0.needs.contains(one.name) }),
      ]
    }
    return
      "## Capabilities\n\nAn SDK without a required capability violates the requirements about it, once each. "
      + "Cases that need it are not applicable.\n\n"
      + table(["capability", "", "an SDK with it", "commands", "cases"], rows)
  }

  private var cases: [Case] { catalogue.cases.filter { roles.contains($0.role) } }

  // MARK: Commands

  private var commands: String {
    let own = definition.commands.filter { !roles.isDisjoint(with: $0.roles) }
    return "## Commands\n\n" + own.map(section).joined(separator: "\n\n")
  }

  private func section(_ command: ProtocolDefinition.Command) -> String {
    let required = Set((command.params["required"]?.array ?? []).compactMap(\.string))
    let params = (command.params["properties"]?.object?.members ?? []).map { member in
      ["`\(member.key)`", required.contains(member.key) ? "required" : "", code(member.value)]
    }
    let needs = command.capabilities.first.map { first in
      let others = Array(command.capabilities.dropFirst())
      return ["Capability: `\(first)`." + (others.isEmpty ? "" : mayHave(names(others), without: first))]
    }
    let takes = params.isEmpty ? ["It has no parameters."] : [table(["parameter", "", "schema"], params)]
    let callsBack = command.callback.map { ["Calls back with: \(code($0))"] } ?? []
    let title = ["### `\(command.name)`", command.text]
    return (title + (needs ?? []) + takes + ["Result: \(code(command.result))"] + callsBack).joined(separator: "\n\n")
  }

  private func mayHave(_ others: String, without first: String) -> String {
    " An SDK with \(others) and without `\(first)` can support this command too. Otherwise the SDK answers "
      + "`unsupported`, and the case is not applicable."
  }

  // MARK: Requests

  /// The part about the requests of the SDK to services that the kit plays; nil if the kit plays no service.
  private var requests: String? {
    // The role that calls the fewest services is chosen, because other subjects of a chain call further services.
    let services = roles.map { Set(definition.ports(of: $0).upstream) }.min { $0.count < $1.count } ?? []
    // Cases script answers for the requests of an SDK, but not for the requests of a browser.
    let exchanges = catalogue.exchanges.filter {
      services.contains($0.service) && !$0.isBound && !$0.responses.isEmpty
    }
    let rows = exchanges.map { exchange in
      [
        "`\(exchange.name)`", "`\(exchange.service)`", exchange.lines.map { "`\($0)`" }.joined(separator: " "),
        exchange.text,
      ]
    }
    guard !rows.isEmpty else { return nil }
    return """
      ## Requests

      The kit recognises a request of the SDK by this table. `conform explain \(exchanges[0].name) --protocol \(definition.name)`
      shows the query, the header fields, the body and the answers of one request. Values are in braces, and a question mark
      marks an optional member. An SDK with other paths or members needs a wire profile (`conform run --wire`,
      `spec/kit/fixture-format.md`).


      """ + table(["exchange", "service", "request", "what it is"], rows)
  }

  // MARK: What surrounds an app, errors, times

  private var surroundings: String? {
    guard !definition.surroundings.isEmpty else { return nil }
    return "## Surroundings\n\n`environment` of `launch` has these facts, and `surroundings` while the app runs.\n\n"
      + table(
        ["fact", "what it is", "schema"], definition.surroundings.map { ["`\($0.name)`", $0.text, code($0.schema)] })
  }

  private var errors: String? {
    guard !definition.errorKinds.isEmpty else { return nil }
    return "## Errors\n\nThe `kind` of an error is one of \(names(definition.errorKinds))."
  }

  private var times: String? {
    guard !definition.patience.isEmpty else { return nil }
    return "## Times\n\nCases wait for these times, by the clock of the app.\n\n"
      + table(["", "at most", "for"], definition.patience.map { ["`\($0.name)`", "\($0.time)", $0.text] })
  }

  // MARK: Markdown

  private func names(_ words: [String]) -> String { words.map { "`\($0)`" }.joined(separator: ", ") }

  private func code(_ schema: JSON) -> String { "`\(schema.compactText)`" }

  private func quoted(_ text: String) -> String { JSON.string(text).compactText }

  private func table(_ head: [String], _ rows: [[String]]) -> String {
    let lines = [head, head.map { _ in "---" }] + rows
    return lines.map { "| " + $0.map(cell).joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// The text without characters that would end its cell or its line.
  private func cell(_ text: String) -> String {
    text.replacing("|", with: "\\|").split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension Exchange {
  /// The requests of the exchange, such as `POST /api/event`, each of them once.
  fileprivate var lines: [String] {
    Set(requests.values.map { "\($0.method) \($0.path.spelling)" }).sorted()
  }
}

extension Template {
  /// The text of the template. Each hole is written as `${name}`, without its kind.
  fileprivate var spelling: String {
    switch node {
    case .text(let segments):
      segments.map { segment in
        switch segment {
        case .literal(let text): text
        case .hole(let hole): "${\(hole.name ?? "")}"
        }
      }.joined()
    case .literal(let value): value.string ?? value.compactText
    default: ""
    }
  }
}
