import CLinux
import Glibc
import JSONKit

/// Searches for forbidden texts in all data that an app has stored: in files and in their names, in either case, in
/// UTF-8 and in UTF-16 of either byte order.
///
/// Texts that are encrypted, compressed or split are not found.
package struct StorageSearch {
  /// A text, and the file that contains it or is named after it.
  package struct Find: Hashable, Comparable {
    var text: String
    /// The path relative to the storage folder.
    var file: String

    package static func < (left: Self, right: Self) -> Bool { (left.text, left.file) < (right.text, right.file) }

    /// The find in the form that claims refer to.
    package var view: JSON { ["text": .string(text), "file": .string(file)] }
  }

  /// The error if storage cannot be searched completely.
  package struct Refusal: Error, CustomStringConvertible {
    package var description: String
  }

  /// The largest size of all files together, in bytes. SDKs store less for an app, and a search of this size takes less
  /// than a second.
  private static let mostBytes = 64 << 20
  private static let mostFolders = 32

  private let texts: [(text: String, spellings: [[UInt8]])]
  private var finds: Set<Find> = []
  private var bytesLeft = mostBytes

  private init(_ texts: [String]) {
    self.texts = texts.map { ($0, Self.spellings(of: $0)) }
  }

  /// Finds these texts in a folder and the folders below it. The finds are sorted by text and file.
  ///
  /// Files that an app removes during the search are skipped; links are not followed.
  ///
  /// - Throws: ``Refusal`` if there is too much to search, or a file cannot be read.
  package static func finds(of texts: [String], in path: String) throws(Refusal) -> [Find] {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      if errno == ENOENT { return [] }
      throw unreadable("")
    }
    defer { close(folder) }
    var search = Self(texts)
    try search.look(into: folder, called: "", depth: 0)
    return search.finds.sorted()
  }

  /// Whether an errno says that an entry has no text to search: the entry is gone, or is a link or a socket.
  private static func isNoFile(_ code: Int32) -> Bool { [ENOENT, ELOOP, ENXIO].contains(code) }

  /// The error for a file that cannot be read. The file may contain any text, so the search fails.
  private static func unreadable(_ path: String) -> Refusal {
    Refusal(description: "the app's storage cannot be searched: '\(path)': \(String(cString: strerror(errno)))")
  }

  private static func spellings(of text: String) -> [[UInt8]] {
    let text = text.utf16.map(small)
    let utf8 = Array(String(decoding: text, as: UTF16.self).utf8)
    return [
      utf8, text.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, text.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
    ]
  }

  private mutating func look(into folder: Int32, called path: String, depth: Int) throws(Refusal) {
    guard depth < Self.mostFolders else {
      throw Refusal(description: "the app's storage has folders below \(Self.mostFolders) others, and is not searched")
    }
    for name in RunFolder.names(in: folder) where name != "." && name != ".." {
      let file = path.isEmpty ? name : "\(path)/\(name)"
      note(texts(in: Array(name.utf8)), file)
      let entry = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard entry >= 0 else {
        if Self.isNoFile(errno) { continue }
        throw Self.unreadable(file)
      }
      defer { close(entry) }
      var status = stat()
      guard fstat(entry, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try look(into: entry, called: file, depth: depth + 1)
      case S_IFREG: note(texts(in: try bytes(of: entry, called: file)), file)
      default: continue
      }
    }
  }

  private mutating func note(_ texts: [String], _ file: String) {
    finds.formUnion(texts.map { Find(text: $0, file: file) })
  }

  private mutating func bytes(of file: Int32, called path: String) throws(Refusal) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(file, &part, part.count), count != 0 {
      guard count > 0 else { throw Self.unreadable(path) }
      bytesLeft -= count
      guard bytesLeft >= 0 else {
        throw Refusal(description: "the app has stored more than \(Self.mostBytes >> 20) MiB, which are not searched")
      }
      bytes += part[..<count]
    }
    return bytes
  }

  private func texts(in bytes: [UInt8]) -> [String] {
    let bytes = bytes.map(Self.small)
    return texts.filter { $0.spellings.contains { spelling in bytes.holds(spelling) } }.map(\.text)
  }

  /// The code unit in lower case if it is an ASCII letter; any other unit unchanged.
  private static func small<Unit: FixedWidthInteger>(_ unit: Unit) -> Unit {
    (0x41...0x5A).contains(unit) ? unit + 0x20 : unit
  }
}

extension [UInt8] {
  fileprivate func holds(_ part: [UInt8]) -> Bool { memmem(self, count, part, part.count) != nil }
}
