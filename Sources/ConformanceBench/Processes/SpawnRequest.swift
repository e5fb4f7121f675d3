/// A program to be begun: its file, its words, its variables, and the folder in which it runs.
struct SpawnRequest {
  let path: String
  /// nil for where the kit is.
  let folder: String?
  let words: [String]
  /// As `NAME=value`.
  let variables: [String]

  /// The texts as the fork server takes them, each with NUL at its end. A NUL inside ends a text, as it does for exec.
  var bytes: [UInt8] {
    ([path, folder ?? ""] + words + variables).flatMap { text in text.utf8.prefix { $0 != 0 } + [0] }
  }
}
