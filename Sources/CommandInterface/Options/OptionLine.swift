import ArgumentParser
import TextKit

/// A command without any function, for parsing these options.
///
/// In a debug build, ArgumentParser wraps options without a command in a synchronous command. It then refuses to parse
/// options with asynchronous completions. So these options get an asynchronous command.
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
