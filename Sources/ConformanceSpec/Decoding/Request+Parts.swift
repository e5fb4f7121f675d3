import ConformanceModel
import Templates

extension Exchange.Request {
  /// The templates of the parts that every rendered request contains.
  package var requiredTemplates: [Template] {
    [path] + headers(areOptional: false) + [body].compactMap(\.self)
  }

  /// The templates of the parts that a rendered request lacks if one of their holes has no value.
  package var optionalTemplates: [Template] { query.values + headers(areOptional: true) }

  /// The full names of the holes that must have a value so that the request can be rendered.
  package var requiredHoles: [String] { requiredTemplates.flatMap(\.node.requiredHoles) }

  private func headers(areOptional: Bool) -> [Template] {
    headers.filter { $0.key.hasSuffix("?") == areOptional }.map(\.value)
  }
}
