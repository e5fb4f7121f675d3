import CLibXML2
import Files
import Records

/// Writes an XML document to a sink in pieces, in constant memory. It owns a libxml2 text writer.
///
/// libxml2 escapes markup in texts, but does not check that names and texts are valid. So names are literals of the
/// program, and texts have the type ``XMLText``. After a failure, further operations do nothing, and ``finish()``
/// throws the failure.
package struct XMLWriter: ~Copyable {
  /// The error if libxml2 refuses a part of a document, or has no memory for it.
  package struct Failure: Error, Sendable, CustomStringConvertible {
    package var description: String
  }

  private let writer: xmlTextWriterPtr
  private let sink: Sink
  private var misuse: Failure?

  /// Begins a document. The sink receives pieces of about 64 KiB. If the sink throws an error, it is not called again.
  package init(_ sink: @escaping (UnsafeRawBufferPointer) throws -> Void) throws(Failure) {
    self.sink = Sink(sink)
    let output = xmlOutputBufferCreateIO(
      { context, bytes, count in Sink.take(context, bytes, count) }, nil,
      Unmanaged.passUnretained(self.sink).toOpaque(), nil)
    guard let output else { throw Failure(description: "libxml2 has no memory for a document") }
    guard let writer = xmlNewTextWriter(output) else {
      xmlOutputBufferClose(output)
      throw Failure(description: "libxml2 has no memory for a document")
    }
    self.writer = writer
    xmlTextWriterSetIndent(writer, 1)
    // Without the encoding's name libxml2 writes character references in attributes.
    check(xmlTextWriterStartDocument(writer, nil, "UTF-8", nil), "a document")
  }

  /// Begins a document in an open file.
  package init(_ file: OutputFile) throws(Failure) {
    try self.init { bytes in try file.write(bytes) }
  }

  // When the writer is freed, it writes the remaining bytes into the sink.
  deinit { withExtendedLifetime(sink) { xmlFreeTextWriter(writer) } }

  package mutating func start(_ element: StaticString) {
    check(xmlTextWriterStartElement(writer, element.utf8Start), "<\(element)>")
  }

  /// Adds an attribute to the element that was just started.
  package mutating func attribute(_ name: StaticString, _ value: XMLText) {
    check(xmlTextWriterWriteAttribute(writer, name.utf8Start, value.string), "the attribute '\(name)'")
  }

  package mutating func text(_ text: XMLText) { check(xmlTextWriterWriteString(writer, text.string), "text") }

  /// Ends the innermost open element.
  package mutating func end() { check(xmlTextWriterEndElement(writer), "the end of an element") }

  /// Ends the open elements and the document, and passes the last bytes to the sink.
  package consuming func finish() throws {
    check(xmlTextWriterEndDocument(writer), "the end of the document")
    check(xmlTextWriterFlush(writer), "the end of the document")
    if let misuse, sink.error == nil { throw misuse }
    try sink.finish()
  }

  private mutating func check(_ result: Int32, _ what: @autoclosure () -> String) {
    if result < 0, misuse == nil { misuse = Failure(description: "libxml2 refuses \(what()) at this place") }
  }
}

/// Collects the output of libxml2, so that it calls the closure `write` rarely. Keeps the first error that the closure
/// throws.
private final class Sink {
  private let write: (UnsafeRawBufferPointer) throws -> Void
  private var buffer: [UInt8] = []
  private(set) var error: (any Error)?

  private static let capacity = 1 << 16

  init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.write = write
    buffer.reserveCapacity(Self.capacity)
  }

  /// The write callback of libxml2. It reports success even after an error, because otherwise libxml2 would print a
  /// line about the error.
  static func take(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int32) -> Int32 {
    guard let context else { return -1 }
    let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
    sink.buffer.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    if sink.buffer.count >= capacity { sink.flush() }
    return count
  }

  func finish() throws {
    flush()
    if let error { throw error }
  }

  private func flush() {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard error == nil else { return }
    do { try buffer.withUnsafeBytes(write) } catch { self.error = error }
  }
}
