import HTTPValues
import JSONKit

/// The values that fill the holes of templates, by name. Examples are the values of a table row, loop variables, and
/// the outcomes of labelled steps.
package struct Bindings: Sendable, ExpressibleByDictionaryLiteral {
  /// The sets of values that were merged. No set is empty, and later sets take precedence. The sets are kept
  /// separately, since this makes merging fast: every step of a case merges bindings, and then uses only a few names.
  private var layers: [[String: JSON]]

  package init(_ values: [String: JSON] = [:]) { layers = values.isEmpty ? [] : [values] }

  package init(dictionaryLiteral elements: (String, JSON)...) {
    self.init(Dictionary(elements) { _, last in last })
  }

  /// All names with their values.
  package var values: [String: JSON] {
    layers.dropFirst().reduce(layers.first ?? [:]) { below, layer in below.merging(layer) { _, upper in upper } }
  }

  /// Whether this name itself has a value. False for a dotted name that only refers to a part of another name's value.
  package func binds(_ name: String) -> Bool { own(name) != nil }

  private func own(_ name: String) -> JSON? {
    for layer in layers.reversed() {
      if let value = layer[name] { return value }
    }
    return nil
  }

  /// The value of a name. If a dotted name has no value of its own, it refers to a part of another value: `a.b` is the
  /// member `b` of the value of `a`. If a name ends in `.$capitals`, `.$small` or `.$escaped`, its value is the text of
  /// the name before the ending, changed to upper case, to lower case, or to a percent escape for each byte (`%41` for
  /// `A`).
  package subscript(name: String) -> JSON? {
    get {
      if let value = own(name) { return value }
      guard name.utf8.contains(UInt8(ascii: ".")) else { return nil }
      if let text = text(before: ".$capitals", in: name) { return .string(text.uppercased()) }
      if let text = text(before: ".$small", in: name) { return .string(text.lowercased()) }
      if let text = text(before: ".$escaped", in: name) { return .string(PercentEncoding.escape(text)) }
      guard let dot = name.firstIndex(of: "."), let base = own(String(name[..<dot])),
        let path = JSONPath(String(name[name.index(after: dot)...]))
      else { return nil }
      return base[path]
    }
    set {
      if newValue == nil {
        for index in layers.indices { layers[index][name] = nil }
        layers.removeAll(where: \.isEmpty)
      } else {
        if layers.isEmpty { layers.append([:]) }
        layers[layers.endIndex - 1][name] = newValue
      }
    }
  }

  private func text(before ending: String, in name: String) -> String? {
    name.hasSuffix(ending) ? self[String(name.dropLast(ending.count))]?.string : nil
  }

  /// These bindings together with the other bindings. The values of the other bindings take precedence.
  package func merging(_ others: Bindings) -> Bindings {
    var merged = self
    merged.layers += others.layers
    return merged
  }
}

extension Bindings: Hashable {
  package static func == (left: Bindings, right: Bindings) -> Bool { left.values == right.values }

  package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension Bindings {
  /// These bindings, changed for use in a URL. The texts in the values of `names` are percent-encoded, so that each
  /// text fills exactly one segment of a path or one value of a query.
  package func percentEncoding(_ names: some Sequence<String>) -> Bindings {
    let encoded = names.compactMap { name in own(name).map { (name, $0.percentEncoded) } }
    return merging(Bindings(Dictionary(encoded) { _, last in last }))
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
