import JSONKit
import Templates

/// A check that a claim or a control observation names.
struct CheckUse {
  var name: String
  var with: JSON
  /// The path of the member `check`.
  var path: JSONPath
}
