import ConformanceModel
import Templates

extension Exchange.Request {
  /// The parts that every rendered request contains.
  package var requiredTemplates: [Template] {
    [path] + headers(areOptional: false) + [body].compactMap(\.self)
  }

  /// The parts that are left out if one of their holes has no value.
  package var optionalTemplates: [Template] { query.values + headers(areOptional: true) }

  /// The full names of the holes that must have a value for a request.
  package var requiredHoles: [String] { requiredTemplates.flatMap(\.node.requiredHoles) }

  private func headers(areOptional: Bool) -> [Template] {
    headers.filter { $0.key.hasSuffix("?") == areOptional }.map(\.value)
  }
}
