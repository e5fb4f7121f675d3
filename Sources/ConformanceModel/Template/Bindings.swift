/// The values of a template's holes by name: a table row, the loop variables, the results that steps named.
public struct Bindings: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  public var values: [String: JSON]

  public init(_ values: [String: JSON] = [:]) { self.values = values }

  public init(dictionaryLiteral elements: (String, JSON)...) {
    values = Dictionary(elements) { _, last in last }
  }

  /// The value of a name. A dotted name that is not bound itself reaches into the value of its first part.
  public subscript(name: String) -> JSON? {
    get {
      if let value = values[name] { return value }
      guard let dot = name.firstIndex(of: "."), let base = values[String(name[..<dot])],
        let path = JSONPath(String(name[name.index(after: dot)...]))
      else { return nil }
      return base[path]
    }
    set { values[name] = newValue }
  }

  /// These bindings and the others, whose values win.
  public func merging(_ others: Bindings) -> Bindings {
    Bindings(values.merging(others.values) { _, other in other })
  }
}
