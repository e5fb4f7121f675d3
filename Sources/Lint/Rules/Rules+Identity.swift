import ConformanceModel
import ConformanceSpec
import JSONKit
import SpecDocuments

extension Linter {
  /// Rules about names: each is unique and matches its file.
  static let identityRules = [
    LintRule("stray-file", "The kit reads every file.", severity: .warning) { subject in
      subject.strayFiles.map {
        LintFinding(file: $0, expected: "a file of the catalogue in its folder", found: "a file that is not read")
      }
    },
    LintRule("file-name", "A protocol, an exchange and a model are named like their files.") { subject in
      let sources = subject.sources
      let definition =
        sources.isNamedByFolder
        ? sources.definition.misnamed(sources.definition.value.name, at: "protocol", level: 1) : nil
      return [definition].compactMap { $0 }
        + sources.exchanges.compactMap { $0.misnamed($0.value.name, at: "exchange") }
        + sources.models.compactMap { $0.misnamed($0.value.name, at: "model") }
    },
    LintRule("duplicate-id", "Each name belongs to one thing.") { subject in
      let sources = subject.sources
      return duplicates(sources.requirements, \.id.rawValue, at: "id")
        + duplicates(sources.positions, \.id.rawValue, at: "id") + duplicates(sources.states, \.name, at: "state")
        + duplicates(sources.exchanges, \.name, at: "exchange") + duplicates(sources.models, \.name, at: "model")
        + duplicates(
          sources.defects.map { $0.map(\.id.rawValue) } + sources.variants.map { $0.map(\.id.rawValue) }, \.self,
          at: "id") + duplicatesOfDefinition(sources.definition)
    },
    LintRule("duplicate-case", "Each name and each former name belongs to one case.") { subject in
      let names = subject.sources.cases.flatMap { located in
        [(located.value.id, located.path.appending(key: "case"), located.document)]
          + located.value.aliases.enumerated().map { index, alias in
            (alias, located.path.appending(key: "aliases").appending(index: index), located.document)
          }
      }
      return duplicates(names.map { (key: $0.0.rawValue, path: $0.1, document: $0.2) })
    },
    LintRule("duplicate-row", "The rows of a case have different names.") { subject in
      subject.sources.cases.flatMap { located in
        duplicates(
          located.value.scenarios.enumerated().compactMap { index, scenario in
            scenario.row.map {
              (key: $0, path: located.path.appending(key: "rows").appending(index: index), document: located.document)
            }
          })
      }
    },
  ]

  private static func duplicates<Value>(
    _ nouns: [Located<Value>], _ name: (Value) -> String, at key: String
  ) -> [LintFinding] {
    duplicates(nouns.map { (key: name($0.value), path: $0.path.appending(key: key), document: $0.document) })
  }

  private static func duplicatesOfDefinition(_ located: Located<ProtocolDefinition>) -> [LintFinding] {
    func names(_ names: [String], _ list: String, _ key: String) -> [LintFinding] {
      duplicates(
        names.enumerated().map { index, name in
          let path = located.path.appending(key: list).appending(index: index).appending(key: key)
          return (key: name, path: path, document: located.document)
        })
    }
    let definition = located.value
    return names(definition.features.map { String($0.number) }, "features", "number")
      + names(definition.capabilities.map(\.name), "capabilities", "name")
      + duplicateCommands(located)
      + names(definition.services.map(\.name.rawValue), "services", "name")
      + names(definition.patience.map(\.name), "patience", "name")
      + names(definition.profiles.map(\.name), "profiles", "name")
      + names(definition.surroundings.map(\.name), "surroundings", "name")
      + names(definition.values.map(\.name), "values", "name")
      + names(definition.certification.map(\.name), "certification", "tier")
  }

  /// The findings about commands of one role that have the same name.
  private static func duplicateCommands(_ located: Located<ProtocolDefinition>) -> [LintFinding] {
    let commands = located.value.commands.enumerated().map { index, command in
      let path = located.path.appending(key: "commands").appending(index: index).appending(key: "command")
      return (roles: command.roles, name: command.name, path: path)
    }
    return located.value.roleNames.flatMap { role in
      duplicates(
        commands.filter { $0.roles.contains(role) }.map { (key: $0.name, path: $0.path, document: located.document) })
    }
  }

  private static func duplicates(
    _ names: [(key: String, path: JSONPath, document: SpecDocument)]
  ) -> [LintFinding] {
    var first: [String: String] = [:]
    return names.compactMap { name in
      let position = name.document.position(of: name.path)
      guard let place = first.updateValue("\(name.document.file):\(position.line)", forKey: name.key) else {
        return nil
      }
      return LintFinding(
        in: name.document, at: name.path, expected: "a name of its own",
        found: "'\(name.key)', which is also at \(place)")
    }
  }
}

extension Located {
  /// Transforms the value, and keeps its place.
  func map<Other>(_ transform: (Value) -> Other) -> Located<Other> {
    Located<Other>(transform(value), in: document, at: path)
  }

  /// The finding that a name differs from the name of its file or of a folder above the file.
  fileprivate func misnamed(_ name: String, at key: String, level: Int = 0) -> LintFinding? {
    let parts = document.file.split(separator: "/")
    guard parts.count > level else { return nil }
    let part = parts[parts.count - 1 - level].prefix { $0 != "." }
    guard part != name else { return nil }
    return finding(
      at: key, expected: "'\(part)', as the \(level == 0 ? "file" : "folder") is called", found: "'\(name)'")
  }
}
