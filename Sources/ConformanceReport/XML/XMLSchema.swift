import CLibXML2
import Files
import Records

/// A compiled W3C XML Schema. It validates a document while it reads the document, in constant memory.
///
/// It opens no file except the document. libxml2 uses no network (`XML_PARSE_NONET`), loads no external entities (the
/// entity loader of the process refuses all of them), and a document with a DOCTYPE is an error. The loader also
/// refuses imports in schemas, so a schema is always a single text.
package struct XMLSchema: ~Copyable {
  /// An error in a document or a schema.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1; 0 if libxml2 does not know it.
    package var line: Int
    package var text: String

    package init(line: Int, text: String) {
      self.line = line
      self.text = text
    }

    package var description: String { "line \(line): \(text)" }
  }

  private let schema: xmlSchemaPtr

  /// Compiles the text of a schema.
  package init(_ text: [UInt8]) throws(Problem) {
    Self.denyExternalEntities
    let problems = Problems()
    let compiled = text.withUnsafeBytes { bytes -> xmlSchemaPtr? in
      guard let context = xmlSchemaNewMemParserCtxt(bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count))
      else { return nil }
      defer { xmlSchemaFreeParserCtxt(context) }
      xmlSchemaSetParserStructuredErrors(context, { Problems.add($0, $1?.pointee) }, problems.context)
      return xmlSchemaParse(context)
    }
    guard let compiled else { throw problems.all.first ?? Problem(line: 0, text: "not an XML Schema") }
    schema = compiled
  }

  deinit { xmlSchemaFree(schema) }

  /// The errors in a document, in the order of the document; empty if it is valid.
  package func problems(in document: [UInt8]) -> [Problem] {
    guard document.count <= Int(Int32.max) else { return [Problem(line: 0, text: "the document is larger than 2 GiB")] }
    return document.withUnsafeBytes { bytes in
      problems { options in
        xmlReaderForMemory(bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), nil, nil, options)
      }
    }
  }

  /// The errors in the document at a path, in the order of the document; empty if it is valid.
  package func problems(inFile path: String) throws(FileProblem) -> [Problem] {
    let file = try InputFile(path)
    return problems { options in xmlReaderForFd(file.descriptor.rawValue, path, nil, options) }
  }

  private func problems(open: (Int32) -> xmlTextReaderPtr?) -> [Problem] {
    clibxml2_silence()
    let problems = Problems()
    // The reader must be freed before the validation that it is attached to.
    guard let validation = xmlSchemaNewValidCtxt(schema) else { return [Problem(line: 0, text: "no memory")] }
    defer { xmlSchemaFreeValidCtxt(validation) }
    guard let reader = open(Int32(XML_PARSE_NONET.rawValue)) else { return [Problem(line: 0, text: "no document")] }
    defer { xmlFreeTextReader(reader) }
    xmlTextReaderSetStructuredErrorHandler(reader, { Problems.add($0, $1?.pointee) }, problems.context)
    xmlSchemaSetValidStructuredErrors(validation, { Problems.add($0, $1?.pointee) }, problems.context)
    xmlTextReaderSchemaValidateCtxt(reader, validation, 0)
    var result = xmlTextReaderRead(reader)
    while result == 1 {
      if xmlTextReaderNodeType(reader) == Int32(XML_READER_TYPE_DOCUMENT_TYPE.rawValue) {
        problems.all.append(
          Problem(line: Int(xmlTextReaderGetParserLineNumber(reader)), text: "a DOCTYPE is not allowed"))
        return problems.all
      }
      result = xmlTextReaderRead(reader)
    }
    if problems.all.isEmpty, result < 0 || xmlTextReaderIsValid(reader) != 1 {
      problems.all.append(Problem(line: 0, text: "not a valid document"))
    }
    return problems.all
  }

  /// Replaces the entity loader of libxml2. All documents of a process share one loader, so it is replaced only once.
  private static let denyExternalEntities: Void = {
    xmlInitParser()
    xmlSetExternalEntityLoader { _, _, _ in nil }
  }()
}

/// The errors that libxml2 reports.
private final class Problems {
  var all: [XMLSchema.Problem] = []

  /// A pointer to this object. It is valid as long as the object exists.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func add(_ context: UnsafeMutableRawPointer?, _ error: xmlError?) {
    guard let context, let error else { return }
    let text = error.message.map { String(cString: $0) } ?? "an error without a text"
    Unmanaged<Problems>.fromOpaque(context).takeUnretainedValue().all.append(
      .init(line: Int(error.line), text: String(text.split(separator: "\n").joined(separator: " "))))
  }
}
