import CLibXML2

/// A document read back into a tree by libxml2, for looking at what was written.
struct ParsedXML: Equatable {
  var name: String
  var attributes: [String: String] = [:]
  var children: [ParsedXML] = []
  /// The text of an element that holds no other; the rest is indentation.
  var text = ""

  /// nil when the bytes are not a well-formed document.
  init?(_ bytes: [UInt8]) {
    let document = bytes.withUnsafeBytes { buffer in
      xmlReadMemory(
        buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count), nil, nil,
        Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue))
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    guard let root = xmlDocGetRootElement(document) else { return nil }
    self.init(root)
  }

  private init(_ node: xmlNodePtr) {
    name = String(cString: node.pointee.name)
    var attribute = node.pointee.properties
    while let current = attribute {
      let name = String(cString: current.pointee.name)
      if let value = xmlGetProp(node, current.pointee.name) {
        attributes[name] = String(cString: value)
        clibxml2_free(value)
      }
      attribute = current.pointee.next
    }
    var child = node.pointee.children
    while let current = child {
      if current.pointee.type == XML_ELEMENT_NODE { children.append(ParsedXML(current)) }
      if current.pointee.type == XML_TEXT_NODE { text += String(cString: current.pointee.content) }
      child = current.pointee.next
    }
    if !children.isEmpty { text = "" }
  }

  /// The children with this name.
  func all(_ name: String) -> [ParsedXML] { children.filter { $0.name == name } }
  /// The first child with this name.
  subscript(name: String) -> ParsedXML? { children.first { $0.name == name } }
}
