/// A kind of catalogue file: where it stands, and which schema describes it.
package enum SpecFileKind: String, CaseIterable, Sendable {
  case `protocol`, requirements, positions, steps, cases, defects, mutants, coverage, server, exchange, model

  /// The published schema of the kind: states are made of what cases are made of.
  var schemaName: String { self == .steps ? Self.cases.rawValue : rawValue }

  /// The names of files that stand alone, without their suffix.
  static let names = ["protocol", "positions", "steps", "mutants", "coverage", "server"]

  /// The folders in which files of one kind lie.
  static func folders(of tree: SpecTree) -> [String] {
    switch tree {
    case .spec: ["requirements", "defects", "cases"]
    case .fixtures: ["exchanges", "models"]
    }
  }

  /// The kind of a file, by its path below `spec/<protocol>` or `Fixtures/<protocol>`; nil for files that nobody reads.
  package init?(path: String, tree: SpecTree) {
    let folder = path.contains("/") ? String(path.prefix { $0 != "/" }) : nil
    switch (tree, folder, path) {
    case (.spec, nil, "protocol.yaml"): self = .protocol
    case (.spec, nil, "positions.yaml"): self = .positions
    case (.spec, nil, "steps.yaml"): self = .steps
    case (.spec, nil, "mutants.yaml"): self = .mutants
    case (.spec, nil, "coverage.yaml"): self = .coverage
    case (.spec, nil, "server.yaml"): self = .server
    case (.spec, "requirements", _) where path.hasSuffix(".yaml"): self = .requirements
    case (.spec, "defects", _) where path.hasSuffix(".yaml"): self = .defects
    case (.spec, "cases", _) where path.hasSuffix(".yaml"): self = .cases
    case (.fixtures, "exchanges", _) where path.hasSuffix(".json"): self = .exchange
    case (.fixtures, "models", _) where path.hasSuffix(".json"): self = .model
    default: return nil
    }
  }
}

/// The two folders that hold a protocol's files.
package enum SpecTree: String, CaseIterable, Sendable {
  case spec = "spec"
  case fixtures = "Fixtures"
}

/// A catalogue file that is going to be read.
package struct SpecFile: Hashable, Sendable {
  package var kind: SpecFileKind
  /// From its folder: what the digest of a catalogue calls it, wherever the folder lies.
  package var path: String
  /// What people are told that it is called.
  package var place: String

  package init(kind: SpecFileKind, path: String, place: String) {
    self.kind = kind
    self.path = path
    self.place = place
  }
}
