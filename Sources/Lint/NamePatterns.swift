import ConformanceSpec
import Coverage
import Templates

/// A set of names, which may contain loop variables. Small loops are expanded; names in larger loops become patterns.
struct NamePatterns: Sendable {
  /// Loops are expanded up to this number of names.
  private static let limit = 1000

  private(set) var words: [String] = []
  private var exact: Set<String> = []
  private var patterns: [Template] = []

  /// Adds the names that the template `name` has in the rounds of the loops around it. Returns those names that the set
  /// contained before.
  @discardableResult
  mutating func insert(_ name: Template, loops: [ScenarioSite.Loop]) -> [String] {
    guard let names = Self.names(name, loops) else {
      patterns.append(name)
      return []
    }
    return names.filter { name in
      guard exact.insert(name).inserted else { return true }
      words.append(name)
      return false
    }
  }

  func contains(_ name: String) -> Bool {
    exact.contains(name) || patterns.contains { $0.fits(.string(name)) }
  }

  private static func names(_ name: Template, _ loops: [ScenarioSite.Loop]) -> [String]? {
    let rounds = loops.reduce(1.0) { $0 * Double($1.times) }
    guard rounds <= Double(limit) else { return nil }
    var bindings: [Bindings] = [[:]]
    for loop in loops {
      bindings = bindings.flatMap { outer in
        (0..<loop.times).map { outer.merging([loop.variable: .int($0 + 1)]) }
      }
    }
    var names: [String] = []
    for binding in bindings {
      guard let text = try? name.renderText(binding) else { return nil }
      names.append(text)
    }
    return names
  }
}
