/// A kind of catalogue file. It decides where the file is, and which schema it must match.
package enum SpecFileKind: String, CaseIterable, Sendable {
  case `protocol`, requirements, positions, steps, cases, requests, defects, shapes, mutants, coverage, server,
    exchange, model, frozen

  /// The name of the published schema. Files with states or with claims about requests contain the same elements as
  /// case files, and share their schema.
  var schemaName: String { self == .steps || self == .requests ? Self.cases.rawValue : rawValue }

  /// Whether a protocol that includes a pack also includes the pack's files of this kind.
  var isShared: Bool { [.requirements, .requests, .defects].contains(self) }

  /// The names, without the suffix, of files of which a protocol has at most one.
  static let names = ["protocol", "positions", "steps", "requests", "shapes", "mutants", "coverage", "server"]

  /// The folders of a tree in which all files have the same kind.
  static func folders(of tree: SpecTree) -> [String] {
    switch tree {
    case .spec: ["requirements", "defects", "cases"]
    case .fixtures: ["exchanges", "models"]
    }
  }

  /// The kind of a file, by its path below `spec/<protocol>` or `Fixtures/<protocol>`; nil for a file that is not read.
  package init?(path: String, tree: SpecTree) {
    let folder = path.contains("/") ? String(path.prefix { $0 != "/" }) : nil
    switch (tree, folder, path) {
    case (.spec, nil, "protocol.yaml"): self = .protocol
    case (.spec, nil, "positions.yaml"): self = .positions
    case (.spec, nil, "steps.yaml"): self = .steps
    case (.spec, nil, "requests.yaml"): self = .requests
    case (.spec, nil, "shapes.yaml"): self = .shapes
    case (.spec, nil, "mutants.yaml"): self = .mutants
    case (.spec, nil, "coverage.yaml"): self = .coverage
    case (.spec, nil, "server.yaml"): self = .server
    case (.spec, "requirements", _) where path.hasSuffix(".yaml"):
      self = path.hasPrefix("requirements/frozen/") ? .frozen : .requirements
    case (.spec, "defects", _) where path.hasSuffix(".yaml"): self = .defects
    case (.spec, "cases", _) where path.hasSuffix(".yaml"): self = .cases
    case (.fixtures, "exchanges", _) where path.hasSuffix(".json"): self = .exchange
    case (.fixtures, "models", _) where path.hasSuffix(".json"): self = .model
    default: return nil
    }
  }
}

/// The two folders that contain the files of protocols.
package enum SpecTree: String, CaseIterable, Sendable {
  case spec = "spec"
  case fixtures = "Fixtures"
}

/// A catalogue file that the kit has found.
package struct SpecFile: Hashable, Sendable {
  package var kind: SpecFileKind
  /// The path relative to the folder of the catalogue. The catalogue's digest depends on this path, and not on an
  /// absolute path, so it stays the same if the folder moves.
  package var path: String
  /// The path by which messages name the file.
  package var place: String
  /// The included pack that contains the file; nil for a file of the protocol itself.
  package var pack: String?

  package init(kind: SpecFileKind, path: String, place: String, pack: String? = nil) {
    self.kind = kind
    self.path = path
    self.place = place
    self.pack = pack
  }
}
