import Foundation

/// The catalogue and fixtures that the program carries with it.
public enum ConformanceData {
  /// The folder that holds `spec` and `Fixtures`.
  public static var root: URL { Bundle.module.bundleURL }
}
