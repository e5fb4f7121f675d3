import ConformanceModel
import TextKit

/// The names of the folders in which subjects store data. The names are neutral, so that an SDK cannot find out from a
/// name that it is tested, or which case tests it.
enum StorageName {
  private static let prefix = "app-"
  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz")
  private static let length = 7

  /// A new name for the storage folder of one app.
  static func ofApp() -> String { text(of: UInt64.random(in: .min ... .max)) }

  /// A new name for the folder of a run. Its second half is computed from the first, so that the kit can recognise
  /// folders of runs.
  static func ofRun() -> String {
    let chosen = ofApp()
    return prefix + chosen + check(chosen)
  }

  /// Whether a name is the name of a run's folder.
  static func isOfRun(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + 2 * length else { return false }
    let rest = name.dropFirst(prefix.count)
    return rest.suffix(length) == check(String(rest.prefix(length)))
  }

  private static func check(_ chosen: String) -> String { text(of: "storage of a run \(chosen)".stableHash) }

  private static func text(of number: UInt64) -> String {
    var random = SeededRandom(seed: number)
    return String((0..<length).map { _ in digits[Int(random.next() % 36)] })
  }
}
