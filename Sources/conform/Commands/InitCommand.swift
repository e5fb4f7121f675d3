import ArgumentParser

/// `conform init`: writes the first files of a protocol or of an adapter.
struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Writes the first files of a protocol, or of an adapter.",
    discussion: """
      Examples:
        conform init protocol notes
                                     a small protocol that you can run at once
        conform init adapter --language python --pack notes
                                     one function for each command of the protocol
      """,
    subcommands: [InitProtocolCommand.self, InitAdapterCommand.self])
}
