import ArgumentParser
import CommandInterface
import ConformanceData
import FoundationEssentials
import Scaffold

/// `conform init protocol`: writes a new protocol as one folder. The new protocol passes `conform lint` without
/// changes.
struct InitProtocolCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "protocol",
    abstract: "Writes a small protocol that you can run at once, with requirements, cases and an exchange.",
    discussion: """
      Examples:
        conform init protocol notes
        conform init protocol notes conformance
      """)

  @Argument(help: "The name of the protocol. It consists of lower-case letters, digits and hyphens.")
  var name: String

  @Argument(help: "The folder of the protocol. The default is NAME in the working directory.", completion: .directory)
  var folder: String?

  /// The names that the templates contain. The command replaces them with the names of the new protocol.
  private static let model = (name: "my-protocol", title: "My Protocol", prefix: "MP-")

  func validate() throws {
    guard name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil else {
      throw ValidationError(
        "a protocol's name consists of lower-case letters, digits and -, such as notes; found '\(name)'")
    }
  }

  func run() throws {
    let folder = self.folder ?? name
    var files = NewFiles()
    try files.copy(ConformanceData.firstProtocol(), to: "", rename)
    try files.write(to: folder)
    for path in files.paths { Terminal.output("\(folder)/\(path)\n") }
    Terminal.output("\nnext: conform lint --pack \(folder.quotedForShell), and what \(folder)/README.md says\n")
  }

  private func rename(_ text: String) -> String {
    text.replacing(Self.model.name, with: name).replacing(Self.model.title, with: title)
      .replacing(Self.model.prefix, with: prefix)
  }

  /// The title of the protocol, made from its name: `notes-api` becomes *Notes Api*.
  private var title: String {
    words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }

  /// The prefix of requirement ids. For a name with several words, it consists of their initials: `NA-` for
  /// `notes-api`. For a name with one word, it is the whole name.
  private var prefix: String {
    (words.count > 1 ? words.map { $0.prefix(1) }.joined() : name).uppercased() + "-"
  }

  private var words: [Substring] { name.split(separator: "-") }
}
