import ArgumentParser
import CommandInterface
import ConformanceJudge
import ConformanceModel
import ConformanceRunner

/// `conform list`: lists the parts of a protocol.
struct ListCommand: AsyncParsableCommand {
  /// A kind of part that can be listed.
  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case cases, requirements, positions, features, commands, capabilities, exchanges, defects, variants, checks
    case dialects, gates, protocols

    /// The selection options that narrow the list of this kind.
    fileprivate var filters: [String] {
      switch self {
      case .cases: ["--role", "--dialect", "--case", "--requirement", "--feature", "--profile"]
      case .requirements: ["--role", "--requirement", "--feature", "--profile"]
      case .positions, .commands, .capabilities, .exchanges, .defects, .variants: ["--role"]
      case .features, .checks, .dialects, .gates, .protocols: []
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the parts of the catalogue, one on each line.",
    discussion: """
      Examples:
        conform list                      every case that a run would perform
        conform list requirements --role server
        conform list cases --feature 13
        conform list --needs              each case with the capabilities and
                                          abilities that it needs
        conform list commands --format table
        conform list capabilities --role server
                                          each with its parts for a provisioning file
        conform list exchanges            'conform explain NAME' explains an exchange
        conform list defects --format json
      """)

  @Argument(
    help:
      "The kind of parts to list."
  )
  var subject = Subject.cases

  @OptionGroup var catalogueOptions: CatalogueOptions
  @OptionGroup var selectionOptions: SelectionOptions

  @Flag(help: "Show what each case needs: capabilities of the subject, and abilities of the adapter's place.")
  var needs = false

  @Option(help: ArgumentHelp("The form of the list.", valueName: "format"))
  var format = Listing.Format.tsv

  func validate() throws {
    if needs, subject != .cases { throw ValidationError("--needs is about cases, found 'list \(subject)'") }
    let given = selectionOptions.words.filter { $0.hasPrefix("--") }
    guard let other = given.first(where: { !subject.filters.contains($0) }) else { return }
    let takes = subject.filters.isEmpty ? "is always shown whole" : "takes \(subject.filters.joined(separator: ", "))"
    throw ValidationError("'list \(subject)' \(takes), found \(other)")
  }

  func run() async throws { Terminal.output(try await listing().text(as: format)) }

  private func listing() async throws -> Listing {
    switch subject {
    case .protocols: return try protocols()
    // Checks are part of the code. They are listed even for an invalid catalogue, so that its author can correct the
    // name of a check.
    case .checks: return try checks()
    default: break
    }
    let catalogue = try await catalogueOptions.catalogue()
    try selectionOptions.selection(selectionOptions.role.map { [$0] } ?? []).check(against: catalogue)
    return try listing(catalogue)
  }

  private func listing(_ catalogue: Catalogue) throws -> Listing {
    let definition = catalogue.definition
    return switch subject {
    case .cases: try cases(catalogue)
    case .requirements: requirements(catalogue)
    case .positions: positions(catalogue)
    case .features:
      Listing(columns: ["number", "name"], rows: definition.features.map { ["\($0.number)", $0.name] })
    case .defects:
      Listing(
        columns: ["id", "role", "breaks", "noticed by", "text"],
        rows: catalogue.defects.filter { isWanted($0.side) }.map {
          [
            $0.id.rawValue, $0.side.rawValue, "breaks \($0.breaks.list)", "noticed by \($0.caseName ?? "any case")",
            $0.text,
          ]
        })
    case .variants:
      Listing(
        columns: ["id", "role", "text"],
        rows: Packs.variants(of: catalogue).filter { isWanted($0.side) }.map {
          [$0.id.rawValue, $0.side.rawValue, $0.text]
        })
    case .commands:
      Listing(
        columns: ["name", "capabilities", "text"],
        rows: definition.commands.filter { $0.roles.contains(where: isWanted) }
          .map { [$0.name, $0.capabilities.joined(separator: " "), $0.text] })
    case .capabilities:
      Listing(
        columns: ["name", "need", "made of", "text"],
        rows: definition.capabilities.filter { $0.roles.contains(where: isWanted) }
          .map { [$0.name, $0.isRequired ? "required" : "optional", definition.parts(of: $0), $0.text] })
    case .exchanges: exchanges(catalogue)
    case .gates: Listing(columns: ["name"], rows: Gate.allCases.map { [$0.rawValue] })
    case .dialects: Listing(columns: ["name"], rows: definition.dialects.map { [$0.rawValue] })
    case .checks, .protocols: Listing(columns: [], rows: [])
    }
  }

  private func requirements(_ catalogue: Catalogue) -> Listing {
    let chosen = catalogue.requirements.filter {
      isWanted($0.role) && selectionOptions.selection([]).includes($0, in: catalogue.definition)
    }
    return Listing(
      columns: ["id", "level", "basis", "text"],
      rows: chosen.map { [$0.id.rawValue, $0.level.rawValue, $0.basis.rawValue, $0.text] })
  }

  /// The list of positions. If a role is selected, it contains only positions on which requirements of this role are
  /// based.
  private func positions(_ catalogue: Catalogue) -> Listing {
    Listing(
      columns: ["id", "requirements", "text"],
      rows: catalogue.positions.compactMap { position in
        let rules = catalogue.requirements.filter { $0.positions.contains(position.id) && isWanted($0.role) }
        if rules.isEmpty, selectionOptions.role != nil { return nil }
        return [
          position.id.rawValue, rules.map(\.id.rawValue).joined(separator: " "), "\(position.gap) \(position.text)",
        ]
      })
  }

  /// The list of exchanges. If a role is selected, it contains only exchanges of the services that this role calls or
  /// offers.
  private func exchanges(_ catalogue: Catalogue) -> Listing {
    let ports = selectionOptions.role.map(catalogue.definition.ports)
    let exchanges = catalogue.exchanges.filter { exchange in
      ports.map { ($0.upstream + $0.downstream).contains(exchange.service) } ?? true
    }
    return Listing(
      columns: ["name", "service", "request", "text"],
      rows: exchanges.map { exchange in
        let lines = exchange.requests.values.map { "\($0.method) \($0.path.source.string ?? "")" }
        return [exchange.name, exchange.service.rawValue, Set(lines).sorted().joined(separator: ", "), exchange.text]
      })
  }

  private func protocols() throws -> Listing {
    Listing(
      columns: ["name", "place", "made of"],
      rows: try catalogueOptions.sourceOptions.known().map { source in
        let code = Packs.haveCode(of: source.name) ? "data, and references in code" : "data alone"
        return [source.name, source.place, code]
      })
  }

  private func checks() throws -> Listing {
    Listing(
      columns: ["name", "parameters", "text"],
      rows: try catalogueOptions.source().allChecks.sorted { $0.key < $1.key }.map { name, check in
        let members = check.parameters.map { $0.isRequired ? $0.name : "\($0.name)?" }
        return [name, members.isEmpty ? "" : "with \(members.joined(separator: ", "))", check.text]
      })
  }

  private func isWanted(_ role: Role) -> Bool { selectionOptions.role.map { $0 == role } ?? true }

  private func cases(_ catalogue: Catalogue) throws -> Listing {
    let roles = selectionOptions.role.map { [$0] } ?? catalogue.definition.roleNames
    let rows = try roles.flatMap { role in
      try Plan(catalogue: catalogue, selection: selectionOptions.selection([role])).items.map { item in
        let abilities = item.scenario.steps.hostAbilities.map(\.rawValue).sorted()
        return ["\(item.instance)", item.testCase.title, item.requirements.map(\.id.rawValue).joined(separator: " ")]
          + (needs ? [(item.testCase.needs + abilities).joined(separator: " ")] : [])
      }
    }
    guard !rows.isEmpty else {
      throw SelectionError("the selection is empty: each word is known, but no case fits all of them; leave one out")
    }
    return Listing(columns: ["case", "title", "requirements"] + (needs ? ["needs"] : []), rows: rows)
  }
}

extension ProtocolDefinition {
  /// The names of the commands, values and settings that a subject or its operator must provide for a capability.
  fileprivate func parts(of capability: Capability) -> String {
    let called = commands.filter { $0.capabilities.contains(capability.name) }.map(\.name)
    let lent = values.filter { $0.capability == capability.name }.map(\.name)
    return [
      called.isEmpty ? nil : "commands \(called.joined(separator: " "))",
      lent.isEmpty ? nil : "values \(lent.joined(separator: " "))",
      capability.isClientAddress ? "clientAddressHeader" : nil, capability.isTrust ? "trust" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }
}
