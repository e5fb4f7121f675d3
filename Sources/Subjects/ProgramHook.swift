import ConformanceTranscript
import HTTPValues
import JSONKit
import Processes
import Templates

/// A hook that is a program. It gets the parameters as JSON on stdin, writes the result as JSON to stdout, and exits
/// with 0.
struct ProgramHook: ServerHook {
  /// The program and its arguments, as templates that the parameters fill.
  let words: [Template]
  let lent: LentNames
  /// The folder in which the program runs.
  let folder: String
  let timeLimit: Duration

  func perform(_ params: JSON.Object) async -> CommandOutcome {
    do {
      let bindings = lent.bindings(params)
      let texts = try words.map { try $0.renderText(bindings) }
      guard let first = texts.first else {
        throw HookFailure("its 'program' is empty: name a program and its arguments")
      }
      let command = ProgramCommand(executable: Self.path(first, in: folder), arguments: Array(texts.dropFirst()))
      let input = JSON.object(params).compactBytes
      let ending = try await ProgramRun.run(command, in: folder, input: input, limit: timeLimit)
      return .result(try Self.result(ending, of: first, within: timeLimit))
    } catch let failure as HookFailure {
      return .error(failure.commandError)
    } catch {
      return .error(HookFailure("\(error)").commandError)
    }
  }

  /// The path with which the system finds the program. A relative path is resolved in the folder. A name without a
  /// slash is returned unchanged, since the system searches it in `PATH`.
  static func path(_ program: String, in folder: String) -> String {
    program.contains("/") && !program.hasPrefix("/") ? "\(folder)/\(program)" : program
  }

  private static func result(_ ending: ProgramRun.Ending, of program: String, within limit: Duration) throws -> JSON {
    let words = ending.errors.isEmpty ? "" : "; stderr: \(ending.errors)"
    switch ending.cause {
    case .timeLimit: throw HookFailure("'\(program)' did not end within \(limit) and was killed\(words)")
    case .cancelled: throw HookFailure("'\(program)' was killed because the case is over")
    case .outputLimit: throw HookFailure("'\(program)' wrote more than 1 MiB and was killed\(words)")
    case .exited(.exited(code: 0)): break
    case .exited(.exited(let code)): throw HookFailure("'\(program)' exited with code \(code)\(words)")
    case .exited(.signalled(let number)): throw HookFailure("'\(program)' died of signal \(number)\(words)")
    }
    if ending.output.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return .null }
    do {
      return try JSON(parsing: ending.output)
    } catch {
      throw HookFailure(
        "'\(program)' wrote a result that is not JSON (\(error)): \(Octets(ending.output).firstWords)\(words)")
    }
  }
}
