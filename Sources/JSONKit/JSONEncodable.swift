/// A value with a form in JSON, as a value and as text.
package protocol JSONEncodable {
  /// The value as JSON, members in the order for people.
  var representation: JSON { get }

  /// Writes the JSON as text, without building the value first if possible.
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

/// A value whose form is an object. One list of its members serves for the value and for the text.
package protocol JSONObjectEncodable: JSONEncodable {
  /// Adds the members in the order for people.
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

/// A receiver of members, including one that cannot be copied, such as a writer.
package typealias JSONMembers = JSONMemberSink & ~Copyable

/// A receiver of the members of an object, one after the other: the object itself, or its text.
package protocol JSONMemberSink: ~Copyable {
  /// Adds a member; its name must be new.
  mutating func add(_ name: String, _ value: some JSONEncodable)
}

extension JSONMemberSink where Self: ~Copyable {
  /// Adds a member if it has a value, as for optional fields.
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
  // A generic function builds a key path at each call, so this is a closure.
  package var representation: JSON { .array(map { $0.representation }) }

  package func encode(into writer: inout JSONWriter) { writer.write(elements: self) }
}
