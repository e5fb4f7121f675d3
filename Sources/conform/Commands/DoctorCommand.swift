import Adapters
import ArgumentParser
import CommandInterface
import Concurrency
import ConformanceModel
import ConformanceRunner
import ConformanceVerdict
import Processes
import TextKit

/// `conform doctor`: checks an adapter before its SDK is judged.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks an adapter, not its SDK, and lists the next commands to write.",
    discussion: """
      Examples:
        conform doctor --sdk 'python3 adapter.py'
        conform doctor --sdk 'node adapter.mjs' --pack notes
        conform doctor --sdk ws:// --relaunch 'node open.mjs'

      Exit codes: 0 every check passed, 1 a check failed, 2 bad input.
      """)

  @Option(
    help: ArgumentHelp(
      "The command that starts the adapter, or the address of the adapter: http://… or ws://.", valueName: "command"))
  var sdk: String

  @Option(help: ArgumentHelp("The number of seconds that a reply may take.", valueName: "seconds"))
  var timeLimit = 5.0

  @OptionGroup var carrier: CarrierOptions
  @OptionGroup var catalogueOptions: CatalogueOptions

  func validate() throws {
    try carrier.validate(for: sdk)
    guard timeLimit > 0, timeLimit <= 600 else {
      throw ValidationError("--time-limit expects a number of seconds above 0, at most 600, found \(timeLimit)")
    }
  }

  func run() async throws {
    ForkServer.prepare()
    let isCarried = try AdapterAddress(sdk).isCarried
    let command = try await carrier.command(of: sdk, limit: 1).placed(in: .drawn(by: 1))
    let catalogue = try await catalogueOptions.source().catalogue()
    let role = catalogue.definition.roles.first { $0.ports.hasDriver }?.role
    guard let role else {
      throw BadInput(
        "\(catalogue.definition.name) has no role with 'driver: true', so it has no adapters: choose another protocol")
    }
    let code = LockedValue<ConformanceVerdict.ExitCode?>(nil)
    _ = try await Interruption.watch(telling: "stopping; the adapter is ended") {
      let ended = try await examine(command, isCarried: isCarried, as: role, catalogue)
      code.change { $0 = ended }
    }
    await Subjects.leave()
    throw Finished(code: code.value ?? .badInput)
  }

  private func examine(
    _ command: ProgramCommand, isCarried: Bool, as role: Role, _ catalogue: Catalogue
  ) async throws -> ConformanceVerdict.ExitCode {
    let checkup = AdapterCheckup(
      command, catalogue.definition, kit: Kit.name, limit: .milliseconds(Int64(timeLimit * 1000)), isCarried: isCarried)
    let score = LockedValue((passed: 0, all: 0))
    let hello = try await checkup.run { check, finding in
      if let text = Self.text(check, finding, isCarried: isCarried) { Terminal.output(.lines(text)) }
      score.change { $0 = Self.score($0, finding) }
    }
    let (passed, all) = score.value
    if let hello {
      let unwritten = try await checkup.unwrittenCommands(hello)
      if !unwritten.isEmpty {
        let lines = "The adapter refuses these commands as unsupported: \(unwritten.joined(separator: ", "))"
          .wrapped(at: Self.width, margin: "")
        Terminal.output(.lines("\n" + lines.joined(separator: "\n") + "\n"))
      }
      Terminal.output(.lines(try Self.next(role, hello.capabilities, catalogue)))
    } else {
      Terminal.output("\nThe other \(all - 1) checks need an answer to 'hello'. Repair this one first.\n")
    }
    Terminal.output(.lines("\nscore: \(passed) of \(all) checks passed, \(all == 0 ? 0 : passed * 100 / all) %\n"))
    return passed == all ? .conformant : .violations
  }

  private static func score(_ score: (passed: Int, all: Int), _ finding: AdapterFinding) -> (passed: Int, all: Int) {
    switch finding {
    case .passed: (score.passed + 1, score.all + 1)
    case .failed, .ended, .notReached: (score.passed, score.all + 1)
    case .notApplicable: score
    }
  }

  private static func text(_ check: AdapterCheck, _ finding: AdapterFinding, isCarried: Bool) -> String? {
    let mark: String
    let text: String
    var fix: String?
    switch finding {
    case .passed(let found): (mark, text) = ("ok", found)
    case .failed(let found): (mark, text, fix) = ("FAILED", found, check.fix(isCarried: isCarried))
    case .ended(let found): (mark, text, fix) = ("FAILED", found, AdapterFinding.fixOfEnd(isCarried: isCarried))
    case .notApplicable(let reason): (mark, text) = ("-", reason)
    case .notReached: return nil
    }
    let head = mark.padded(to: 8) + check.rawValue.padded(to: 17)
    var lines = text.wrapped(at: width, margin: indent)
    if let fix { lines += "Fix: \(fix)".wrapped(at: width, margin: indent) }
    return head + String(lines.joined(separator: "\n").dropFirst(indent.count)) + "\n"
  }

  private static let indent = String(repeating: " ", count: 25)
  private static var width: Int { max(60, min(Terminal.width, 120)) }

  /// A text about the capabilities that the adapter could declare next. The most useful ones come first.
  private static func next(_ role: Role, _ declared: [String], _ catalogue: Catalogue) throws -> String {
    let steps = try NextCapabilities.steps(for: role, declared: declared, in: catalogue)
    guard !steps.isEmpty else { return "\nEvery capability that a case needs is declared.\n" }
    let lines = steps.prefix(shownSteps).enumerated().flatMap { index, step in
      let commands = step.commands.isEmpty ? "" : "; commands \(step.commands.joined(separator: ", "))"
      let count = "requirement".counted(step.requirementCount)
      return "\(index + 1). \(step.capabilities.joined(separator: " and ")) (\(count)\(commands))"
        .wrapped(at: width, margin: "  ")
    }
    let more = steps.count > shownSteps ? ["  … and \(steps.count - shownSteps) more"] : []
    return "\nWrite next, and declare:\n" + (lines + more).joined(separator: "\n") + "\n"
  }

  private static let shownSteps = 8
}
