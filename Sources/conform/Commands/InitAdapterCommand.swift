import ArgumentParser
import CommandInterface
import ConformanceData
import Scaffold
import TextKit

/// `conform init adapter`: writes an adapter with one function for each command of the protocol.
struct InitAdapterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adapter",
    abstract: "Writes an adapter with one function for each command, and the module that all adapters share.",
    discussion: """
      Examples:
        conform init adapter --language python
        conform init adapter --language javascript --pack ./notes adapter
      """)

  @Option(help: ArgumentHelp("The language of the adapter.", valueName: "language"))
  var language: AdapterLanguage

  @OptionGroup var catalogueOptions: CatalogueOptions

  @Argument(help: "The folder of the adapter. The default is the working directory.", completion: .directory)
  var folder = "."

  func run() async throws {
    let source = try catalogueOptions.source()
    let definition = try await source.catalogue().definition
    guard !definition.drivenRoles.isEmpty else {
      throw BadInput(
        "\(definition.name) has no role with 'driver: true' in its protocol.yaml, so it has no adapters: add one, or choose another protocol"
      )
    }
    var files = NewFiles()
    files.add(language.file, AdapterText(definition, language).text)
    for module in language.modules { try files.copy(ConformanceData.example(module.source), to: module.path) }
    try files.write(to: folder)
    for path in files.paths { Terminal.output("\(folder)/\(path)\n") }
    let file = folder == "." ? language.file : "\(folder)/\(language.file)"
    let lines = ["doctor", "run"].map { name in
      var words = Words([Program.called, name] + source.words)
      words.add("--sdk", language.command(in: folder))
      return words.line
    }
    if language == .dart {
      Terminal.output("\nnote: the tests of the kit have no Dart SDK, so they have not executed this template\n")
    }
    Terminal.output("\nnext: check the adapter, write the functions in \(file), and see what is left to do with\n")
    for line in language.build(in: folder) + lines { Terminal.output("  \(line)\n") }
  }
}

extension AdapterLanguage: ExpressibleByArgument {}
