import ArgumentParser

/// The program that carries messages to adapters which the kit does not start. `conform run` and `conform doctor` start
/// it.
@main
struct ConformCarriers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conform-carriers",
    abstract: "Carries messages to adapters that run elsewhere. 'conform run' and 'conform doctor' start it.",
    subcommands: [ServeCommand.self, RelayCommand.self])
}
