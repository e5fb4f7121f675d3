import ArgumentParser
import Certification
import Files
import Glibc
import Records
import TextKit

/// The option that names a file with the passphrase of a private key. Without the option, a person types the passphrase
/// at the terminal. A passphrase in the command line would be visible to other users of the machine.
package struct PassphraseOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "A file with the passphrase of the private key. Without the option, the terminal asks for the passphrase.",
      valueName: "file")
  )
  var passphraseFile: String?

  /// The passphrase in the file of `--passphrase-file`; nil without the option.
  package func named() throws -> Passphrase? {
    guard let passphraseFile else { return nil }
    let bytes = try InputFile.contents(of: passphraseFile, atMost: Passphrase.longest + 2)
    do { return try Passphrase(line: bytes) } catch { throw BadInput("\(passphraseFile): \(error)") }
  }

  /// The private key in a file. If the key is encrypted, the passphrase comes from the option's file or from the
  /// person.
  package func signingKey(_ path: String) throws -> SigningKey {
    let bytes = try InputFile.contents(of: path, atMost: KeyFile.limit)
    do {
      if let passphrase = try named() { return try SigningKey(pem: bytes, passphrase: passphrase) }
      guard SigningKey.isLocked(pem: bytes) else { return try SigningKey(pem: bytes) }
      guard let answer = try PassphrasePrompt.ask("passphrase of '\(path)': ") else {
        throw BadInput(
          "\(path): the key has a passphrase, and there is no terminal: name a file with --passphrase-file")
      }
      return try SigningKey(pem: bytes, passphrase: answer)
    } catch let problem as KeyProblem {
      throw BadInput("\(path): \(problem)")
    }
  }

  /// The passphrase that will encrypt a new key. It comes from the option's file. Without the option, a person must
  /// type it twice.
  package func chosen() throws -> Passphrase {
    if let passphrase = try named() { return passphrase }
    do {
      guard let first = try PassphrasePrompt.ask("passphrase of the new key: "),
        let second = try PassphrasePrompt.ask("the same again: ")
      else { throw BadInput("there is no terminal to ask for a passphrase: name a file with --passphrase-file") }
      guard first == second else { throw BadInput("the two passphrases differ: try again") }
      return first
    } catch let problem as KeyProblem {
      throw BadInput("\(problem)")
    }
  }
}

/// Asks a person for a passphrase at the terminal, without showing it.
enum PassphrasePrompt {
  /// Asks for a passphrase, and returns it; nil if the program has no terminal. Throws ``BadInput`` if the person
  /// cancels, and ``KeyProblem`` if the line is not a passphrase.
  static func ask(_ question: String) throws -> Passphrase? {
    let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var usual = termios()
    guard tcgetattr(terminal, &usual) == 0 else { return nil }
    var silent = usual
    // No key sends a signal while the person types, so that the terminal always gets its settings back.
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
    defer { tcsetattr(terminal, TCSAFLUSH, &usual) }
    say(question.visibleOnOneLine, to: terminal)
    defer { say("\n", to: terminal) }
    var typed = TypedLine()
    while !typed.isComplete {
      var byte: UInt8 = 0
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, typed.take(byte) else {
        throw BadInput("the passphrase is empty: type one, or leave out --passphrase")
      }
    }
    return try Passphrase(line: typed.bytes)
  }

  private static func say(_ text: String, to terminal: Int32) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(terminal, $0.baseAddress, $0.count) }
  }
}

/// A line that a person is typing. The person can correct it.
struct TypedLine {
  private(set) var bytes: [UInt8] = []
  private(set) var isComplete = false

  /// Applies the next key. Returns false if the person cancels with Ctrl-C, or with Ctrl-D in an empty line.
  mutating func take(_ byte: UInt8) -> Bool {
    switch byte {
    case 3: return false
    case 4: return !bytes.isEmpty
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isComplete = true
    case 8, 127:
      // The key removes all bytes of a UTF-8 character.
      while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    case 21: bytes = []
    default: bytes.append(byte)
    }
    return true
  }
}
