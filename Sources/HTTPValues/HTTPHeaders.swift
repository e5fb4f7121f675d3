/// Header fields as on the wire: the order, the case of the names and repetitions are kept.
package struct HTTPHeaders: Hashable, Sendable {
  /// One `Name: value` line.
  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package var fields: [Field]

  package init(_ fields: [Field] = []) { self.fields = fields }

  /// The first value of a field; names are compared without case (RFC 9110 §5.1). Setting a value replaces all values
  /// of the field, and setting nil removes the field.
  package subscript(name: String) -> String? {
    get { fields.first { $0.name.equalsIgnoringCase(name) }?.value }
    set {
      let index = fields.firstIndex { $0.name.equalsIgnoringCase(name) }
      fields.removeAll { $0.name.equalsIgnoringCase(name) }
      if let newValue {
        fields.insert(Field(name: name, value: newValue), at: min(index ?? fields.count, fields.count))
      }
    }
  }

  /// Every value of a field, in order.
  package func values(_ name: String) -> [String] {
    fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }

  /// Adds a field at the end.
  package mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

  /// Writes every name in lower case, as HTTP/2 requires (RFC 9113 §8.2).
  package mutating func lowerCaseNames() {
    for index in fields.indices { fields[index].name = fields[index].name.lowercased() }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0.0, value: $0.1) })
  }
}

extension String {
  /// Whether both texts are equal if the case of ASCII letters is ignored.
  package func equalsIgnoringCase(_ other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  fileprivate var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
