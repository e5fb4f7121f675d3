import ConformanceModel
import Templates

extension Exchange.Request {
  /// The parts that every request has.
  package var requiredTemplates: [Template] {
    [path] + headers(areOptional: false) + [body].compactMap(\.self)
  }

  /// The parts that are left out when a hole of theirs has no value.
  package var optionalTemplates: [Template] { query.values + headers(areOptional: true) }

  /// The full names of the holes without which there is no request.
  package var requiredHoles: [String] { requiredTemplates.flatMap(\.node.requiredHoles) }

  private func headers(areOptional: Bool) -> [Template] {
    headers.filter { $0.key.hasSuffix("?") == areOptional }.map(\.value)
  }
}
