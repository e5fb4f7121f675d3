import JSONKit

/// The values of a template's holes by name: a table row, the loop variables, the results that steps named.
package struct Bindings: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  package var values: [String: JSON]

  package init(_ values: [String: JSON] = [:]) { self.values = values }

  package init(dictionaryLiteral elements: (String, JSON)...) {
    values = Dictionary(elements) { _, last in last }
  }

  /// The value of a name. A dotted name that is not bound itself reaches into the value of its first part; one that ends
  /// in `.$capitals` or `.$small` is the text before it, spelled so.
  package subscript(name: String) -> JSON? {
    get {
      if let value = values[name] { return value }
      guard name.utf8.contains(UInt8(ascii: ".")) else { return nil }
      if let text = text(before: ".$capitals", in: name) { return .string(text.uppercased()) }
      if let text = text(before: ".$small", in: name) { return .string(text.lowercased()) }
      guard let dot = name.firstIndex(of: "."), let base = values[String(name[..<dot])],
        let path = JSONPath(String(name[name.index(after: dot)...]))
      else { return nil }
      return base[path]
    }
    set { values[name] = newValue }
  }

  private func text(before ending: String, in name: String) -> String? {
    name.hasSuffix(ending) ? self[String(name.dropLast(ending.count))]?.string : nil
  }

  /// These bindings and the others, whose values win.
  package func merging(_ others: Bindings) -> Bindings {
    if others.values.isEmpty { return self }
    return Bindings(values.merging(others.values) { _, other in other })
  }
}

extension Bindings {
  /// The bindings for a URL: each text of the chosen names can only be one segment of a path or one value of a query.
  package func percentEncoded(where isChosen: (String) -> Bool) -> Bindings {
    Bindings(Dictionary(uniqueKeysWithValues: values.map { ($0, isChosen($0) ? $1.percentEncoded : $1) }))
  }
}

extension JSON {
  fileprivate var percentEncoded: JSON {
    switch self {
    case .string(let text): .string(PercentEncoding.encode(text))
    case .array(let elements): .array(elements.map(\.percentEncoded))
    case .object(let object):
      .object(Object(object.members.map { .init(key: $0.key, value: $0.value.percentEncoded) }))
    default: self
    }
  }
}
