import ArgumentParser
import Templates

/// The option for the time at which a command judges; the default is now.
package struct MomentOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp("The time at which to judge, such as 2026-12-24T00:00:00Z, instead of now.", valueName: "time"))
  var at: String?

  package func validate() throws {
    if let at, Timestamp(at) == nil {
      throw ValidationError("--at expects a time such as 2026-12-24T00:00:00Z, found '\(at)'")
    }
  }

  package var now: Timestamp { at.flatMap { Timestamp($0) } ?? .now }
}
