import ArgumentParser
import CommandInterface
import ConformanceJudge
import ConformanceSpec
import Lint

/// `conform lint`: checks the catalogue.
struct LintCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Validates every file of the catalogue with its schema, and checks that the files agree with each other.",
    discussion: """
      Examples:
        conform lint
        conform lint --root .          the files in this folder, not in the program
        conform lint --pack ./beacon   a protocol as one folder
        conform lint --rules           the name and the sentence of each lint rule
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions

  @Flag(help: "Show the lint rules.")
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
