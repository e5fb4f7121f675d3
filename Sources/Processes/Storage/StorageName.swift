import ConformanceModel
import TextKit

/// The names of the folders in which subjects store. They are neutral, so an SDK cannot see that it is tested, or in which
/// case.
enum StorageName {
  private static let prefix = "app-"
  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz")
  private static let length = 7

  /// A new name for what one app stores.
  static func ofApp() -> String { text(of: UInt64.random(in: .min ... .max)) }

  /// A new name for the folder of a run. Its second half follows from the first, so that the kit knows its own again.
  static func ofRun() -> String {
    let chosen = ofApp()
    return prefix + chosen + check(chosen)
  }

  /// Whether a name is that of the folder of a run.
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
