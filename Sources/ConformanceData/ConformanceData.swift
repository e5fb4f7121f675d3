import Foundation

/// The catalogue and fixtures that the program carries with it.
package enum ConformanceData {
  /// The folder that holds `spec` and `Fixtures`.
  package static var root: URL { Bundle.module.bundleURL }
}
