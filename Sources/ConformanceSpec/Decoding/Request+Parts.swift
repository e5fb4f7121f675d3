import ConformanceModel
import Templates

extension Exchange.Request {
  /// The templates that are part of every rendered request.
  package var requiredTemplates: [Template] {
    [path] + headers(areOptional: false) + [body].compactMap(\.self)
  }

  /// The templates that are left out of a rendered request if one of their holes has no value.
  package var optionalTemplates: [Template] { query.values + headers(areOptional: true) }

  /// The full names of the holes that must have a value for a request.
  package var requiredHoles: [String] { requiredTemplates.flatMap(\.node.requiredHoles) }

  private func headers(areOptional: Bool) -> [Template] {
    headers.filter { $0.key.hasSuffix("?") == areOptional }.map(\.value)
  }
}
