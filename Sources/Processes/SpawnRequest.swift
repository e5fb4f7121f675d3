import CLinux

/// A program to be begun: its file, its words, its variables, and the folder in which it runs.
struct SpawnRequest {
  let path: String
  /// nil for where the kit is.
  let folder: String?
  let words: [String]
  /// As `NAME=value`.
  let variables: [String]

  /// Asks the fork server, or a supervisor that needs no `control`, for the program with these descriptors as 0, 1 and 2:
  /// 0, or an errno.
  func send(to socket: Int32, streams: [Int32], control: Int32 = -1) -> Int32 {
    bytes.withUnsafeBytes {
      clinux_ask_for_program(
        socket, $0.baseAddress, $0.count, UInt32(words.count), UInt32(variables.count), streams, control)
    }
  }

  /// The texts as they are sent, each with NUL at its end. A NUL inside ends a text, as it does for exec.
  private var bytes: [UInt8] {
    ([path, folder ?? ""] + words + variables).flatMap { text in text.utf8.prefix { $0 != 0 } + [0] }
  }
}
