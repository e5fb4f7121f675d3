import ArgumentParser

/// The ways in which answers are written.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}
