/// A value that can be encoded as a JSON value and as JSON text.
package protocol JSONEncodable {
  /// The value as JSON, with members in an order that suits human readers.
  var representation: JSON { get }

  /// Writes the value as JSON text, if possible without building the JSON value first.
  func encode(into writer: inout JSONWriter)
}

extension JSONEncodable {
  package func encode(into writer: inout JSONWriter) { writer.write(representation) }

  /// The value as UTF-8 on one line without spaces, with members in their order and numbers as they were written.
  package var compactBytes: [UInt8] {
    var writer = JSONWriter()
    encode(into: &writer)
    return writer.bytes
  }
}

/// A value that is encoded as an object. One list of members produces both the JSON value and the text.
package protocol JSONObjectEncodable: JSONEncodable {
  /// Adds the members in an order that suits human readers.
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

/// A type that receives members. It may be noncopyable, for example a writer.
package typealias JSONMembers = JSONMemberSink & ~Copyable

/// A receiver of the members of an object, one after another. It builds the object or writes its text.
package protocol JSONMemberSink: ~Copyable {
  /// Adds a member. No earlier member may have the same name.
  mutating func add(_ name: String, _ value: some JSONEncodable)
}

extension JSONMemberSink where Self: ~Copyable {
  /// Adds a member unless its value is nil.
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
