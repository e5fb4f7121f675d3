import JSONKit

/// A value with its path in a document.
package struct Sited<Value> {
  package var value: Value
  package var path: JSONPath

  package init(_ value: Value, at path: JSONPath) {
    self.value = value
    self.path = path
  }
}
