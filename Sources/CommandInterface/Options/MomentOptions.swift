import ArgumentParser
import Templates

/// The option that sets the time at which a command judges the validity of certificates. The default is now.
package struct MomentOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Judge the validity of certificates at this time, such as 2026-12-24T00:00:00Z. The default is now.",
      valueName: "time"))
  var at: String?

  package func validate() throws {
    if let at, Timestamp(at) == nil {
      throw ValidationError("--at expects a time such as 2026-12-24T00:00:00Z, found '\(at)'")
    }
  }

  package var now: Timestamp { at.flatMap { Timestamp($0) } ?? .now }
}
