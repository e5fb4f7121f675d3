/// A language in which an adapter can be begun.
enum AdapterLanguage: String, CaseIterable {
  case python, javascript

  /// The name of the adapter.
  var file: String { self == .python ? "adapter.py" : "adapter.mjs" }
  /// The file or folder of the part that no SDK owns.
  var module: String { self == .python ? "conform_adapter.py" : "conformance" }
  /// What runs it.
  var program: String { self == .python ? "python3" : "node" }
}
