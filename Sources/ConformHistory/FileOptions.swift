import ArgumentParser

/// The history that a command is about.
struct FileOptions: ParsableArguments {
  @Option(name: .customLong("history"), help: ArgumentHelp("The file of the history.", valueName: "file"))
  var path = "conform-history.sqlite"
}
