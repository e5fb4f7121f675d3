import ArgumentParser

/// The formats in which a command prints its result.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}
