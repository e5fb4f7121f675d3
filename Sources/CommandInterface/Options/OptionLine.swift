import ArgumentParser
import TextKit

/// A command that does nothing. The kit uses it to parse these options without a real command.
///
/// In a debug build, ArgumentParser wraps options that belong to no command in a synchronous command, and then refuses
/// to parse options with asynchronous completions. This command is asynchronous, so it may have such options.
package struct OptionLine<Options: ParsableArguments>: AsyncParsableCommand {
  @OptionGroup var options: Options

  package init() {}

  package static func options(_ words: [String]) async throws -> Options {
    guard let line = try await asyncParseAsRoot(words) as? Self else {
      throw BadInput("the options \(words) are a command")
    }
    return line.options
  }
}
