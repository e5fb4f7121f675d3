import JSONKit

/// The values of a template's holes by name: a table row, the loop variables, the results that steps named.
package struct Bindings: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  package var values: [String: JSON]

  package init(_ values: [String: JSON] = [:]) { self.values = values }

  package init(dictionaryLiteral elements: (String, JSON)...) {
    values = Dictionary(elements) { _, last in last }
  }

  /// The value of a name. A dotted name that is not bound itself reaches into the value of its first part.
  package subscript(name: String) -> JSON? {
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
  package func merging(_ others: Bindings) -> Bindings {
    Bindings(values.merging(others.values) { _, other in other })
  }
}
