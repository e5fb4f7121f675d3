/// Stores the files of an app in a folder. If the app is killed at any time, its files stay intact. Writes do not wait
/// for the disk, since the apps in tests need not survive a loss of power.
package final class FolderStorage: Storage {
  private let folder: String

  /// `path` must be an existing folder.
  package init(path: String) { folder = path }

  package func read(_ name: String) -> [UInt8]? { FileBytes.read(path(name)) }

  package func replace(_ name: String, with bytes: [UInt8]) throws {
    // A leftover of a killed app is overwritten.
    let next = path("\(name).next")
    try FileBytes.write(bytes, to: next)
    try FileBytes.move(next, to: path(name))
  }

  package func append(_ bytes: [UInt8], to name: String) throws { try FileBytes.append(bytes, to: path(name)) }

  package func remove(_ name: String) throws { try FileBytes.remove(path(name)) }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }
}
