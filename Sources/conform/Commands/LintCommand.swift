import ArgumentParser
import CommandInterface
import ConformanceJudge
import ConformanceSpec
import Lint

/// `conform lint`: checks the catalogue.
struct LintCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Checks every file of the catalogue against its schema, and all of them against each other.",
    discussion: """
      Examples:
        conform lint
        conform lint --root .          the files here instead of those of the program
        conform lint --pack ./beacon   a protocol that is a folder of its own
        conform lint --rules           the name and sentence of each rule
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions

  @Flag(help: "Show the rules.")
  var rules = false

  func run() async throws {
    if rules { return Linter.rules.forEach { Terminal.output("\($0.name)\t\($0.text)\n") } }
    let found = try await catalogueOptions.source().diagnostics()
    for diagnostic in found { Terminal.output("\(diagnostic) [\(diagnostic.rule)]\n") }
    let errors = found.filter { $0.severity == .error }.count
    guard errors == 0 else {
      Terminal.error("conform: \(errors) \(errors == 1 ? "error" : "errors") in the catalogue\n")
      throw Finished(code: .badInput)
    }
  }
}
