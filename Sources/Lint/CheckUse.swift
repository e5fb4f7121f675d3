import JSONKit
import Templates

/// A use of a named check in a claim or a control observation.
struct CheckUse {
  var name: String
  var with: JSON
  /// The path of the member `check`.
  var path: JSONPath
}
