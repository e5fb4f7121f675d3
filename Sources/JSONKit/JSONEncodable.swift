/// A value that has a form in JSON, as a value and as text.
package protocol JSONEncodable {
  /// The value as JSON, members in the order people read them.
  var representation: JSON { get }

  /// Writes the same as text, without making the value first where that can be.
  func encode(into writer: inout JSONWriter)
}

extension JSONEncodable {
  package func encode(into writer: inout JSONWriter) { writer.write(representation) }

  /// The value on one line without spaces in UTF-8, members in their order, numbers as they were written.
  package var compactBytes: [UInt8] {
    var writer = JSONWriter()
    encode(into: &writer)
    return writer.bytes
  }
}

/// A value whose form is an object; its members are told once, for the value and for the text.
package protocol JSONObjectEncodable: JSONEncodable {
  /// Adds the members in the order people read them.
  func encodeMembers(into members: inout some JSONMembers)
}

extension JSONObjectEncodable {
  package var representation: JSON {
    var object = JSON.Object()
    encodeMembers(into: &object)
    return .object(object)
  }

  package func encode(into writer: inout JSONWriter) { writer.write(membersOf: self) }
}

/// What takes members, also where it cannot be copied, as a writer.
package typealias JSONMembers = JSONMemberSink & ~Copyable

/// What takes the members of an object one after the other: the object itself, or its text.
package protocol JSONMemberSink: ~Copyable {
  /// Adds a member, whose name none before it has.
  mutating func add(_ name: String, _ value: some JSONEncodable)
}

extension JSONMemberSink where Self: ~Copyable {
  /// Adds a member where it has a value: the way optional fields are written.
  package mutating func add(_ name: String, _ value: (some JSONEncodable)?) {
    if let value { add(name, value) }
  }
}

extension JSON.Object: JSONMemberSink {
  package mutating func add(_ name: String, _ value: some JSONEncodable) {
    members.append(Member(key: name, value: value.representation))
  }
}

extension JSON: JSONEncodable {
  package var representation: JSON { self }

  package func encode(into writer: inout JSONWriter) { writer.write(self) }
}

extension JSON.Object: JSONEncodable {
  package var representation: JSON { .object(self) }
}

extension String: JSONEncodable {
  package var representation: JSON { .string(self) }

  package func encode(into writer: inout JSONWriter) { writer.write(self) }
}

extension Int: JSONEncodable {
  package var representation: JSON { .int(self) }
}

extension Bool: JSONEncodable {
  package var representation: JSON { .bool(self) }
}

extension Array: JSONEncodable where Element: JSONEncodable {
  // A key path is made anew at each call of what is generic.
  package var representation: JSON { .array(map { $0.representation }) }

  package func encode(into writer: inout JSONWriter) { writer.write(elements: self) }
}
