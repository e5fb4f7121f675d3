import ArgumentParser

/// The option that names the file of the history.
struct FileOptions: ParsableArguments {
  @Option(name: .customLong("history"), help: ArgumentHelp("The file of the history.", valueName: "file"))
  var path = "conform-history.sqlite"
}
