import CLinux

/// A program to start: its file, the words of its command, its environment variables, and the folder in which it runs.
struct SpawnRequest {
  let path: String
  /// The working directory; nil for the working directory of the kit.
  let folder: String?
  let words: [String]
  /// The environment variables, as `NAME=value`.
  let variables: [String]

  /// Asks the fork server or a supervisor to start the program with `streams` as descriptors 0, 1 and 2. A supervisor
  /// needs no `control`. Returns 0 or an errno.
  func send(to socket: Int32, streams: [Int32], control: Int32 = -1) -> Int32 {
    bytes.withUnsafeBytes {
      clinux_ask_for_program(
        socket, $0.baseAddress, $0.count, UInt32(words.count), UInt32(variables.count), streams, control)
    }
  }

  /// The texts as they are sent, each ended by a NUL. A NUL inside a text ends the text, as in a call of exec.
  private var bytes: [UInt8] {
    ([path, folder ?? ""] + words + variables).flatMap { text in text.utf8.prefix { $0 != 0 } + [0] }
  }
}
