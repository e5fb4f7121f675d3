import ConformanceModel

/// Searches the project of an SDK for the submission requirements of a tier, and reports where each requirement is met.
///
/// It relies on conventions of package managers, CI services and documents. So a finding is not a proof. If the
/// inspection does not find that a requirement is met, a person may attest it.
package struct RepositoryInspection: Sendable {
  let repository: Repository
  /// The names of the functions that the SDK's own API has for each flow. The SDK's `conformance.yaml` lists them.
  let ownCalls: [String: [String]]

  package init(_ repository: Repository, ownCalls: [String: [String]] = [:]) {
    self.repository = repository
    self.ownCalls = ownCalls
  }

  /// The finding about a submission requirement.
  package func finding(of wanted: CertificationTier.Submission) -> SubmissionFinding {
    let sight =
      switch wanted.place {
      case .manifest: manifest
      case .example: example(showing: wanted.flows)
      case .workflow: workflow
      case .readme: readme
      case .person: Sight(isFound: false, text: "only a person can attest this: give --attest \(wanted.id)=TEXT")
      }
    return SubmissionFinding(
      id: wanted.id, result: sight.isFound ? .found : .notFound, text: sight.text, file: sight.file, line: sight.line)
  }

  /// The result of one search in the repository, with the place where the inspection found something.
  struct Sight: Hashable {
    var isFound: Bool
    var text: String
    var file: String?
    var line: Int?
  }

  // MARK: Manifest

  /// The first manifest that names the published package.
  private var manifest: Sight {
    let own = repository.paths.filter { !Self.isAside($0) && $0.count { $0 == "/" } <= 3 }
    for path in own {
      guard let name = Self.packageName(path), let (line, package) = name(repository.lines(of: path)) else { continue }
      return Sight(isFound: true, text: "the package is called '\(package)'", file: path, line: line)
    }
    return Sight(
      isFound: false,
      text: "no manifest of npm, pub, Maven, Gradle, CocoaPods, SwiftPM, PyPI, Cargo, Go, NuGet or RubyGems names a"
        + " package")
  }

  private typealias Lines = [(number: Int, text: String)]

  /// Returns a function for the manifest at this path; nil if the file is not a manifest. The function finds the name
  /// of the package in the lines of the file, and returns it with its line number.
  private static func packageName(_ path: String) -> ((Lines) -> (Int, String)?)? {
    let name = Repository.name(of: path)
    let suffix = name.lastIndex(of: ".").map { String(name[$0...]) }
    switch name {
    case "package.json", "composer.json":
      return { lines in
        lines.contains { $0.text.contains(/"private"\s*:\s*true/) } ? nil : first(/"name"\s*:\s*"([^"]+)"/, in: lines)
      }
    case "pubspec.yaml":
      return { lines in
        lines.contains { $0.text.contains(/^publish_to:\s*['"]?none/) } ? nil : first(/^name:\s*(\S+)/, in: lines)
      }
    case "pyproject.toml", "Cargo.toml", "setup.cfg": return { first(/^name\s*=\s*["']?([^"'\s]+)/, in: $0) }
    case "setup.py": return { first(/\bname\s*=\s*["']([^"']+)/, in: $0) }
    case "go.mod": return { first(/^module\s+(\S+)/, in: $0) }
    case "settings.gradle", "settings.gradle.kts": return { first(/rootProject\.name\s*=\s*["']([^"']+)/, in: $0) }
    case "gradle.properties": return { first(/^POM_ARTIFACT_ID\s*=\s*(\S+)/, in: $0) }
    case "pom.xml": return { first(/<artifactId>\s*([^<\s]+)/, in: withoutParent($0)) }
    case "Package.swift": return { first(/\bname:\s*"([^"]+)"/, in: $0) }
    default:
      if suffix == ".podspec" || suffix == ".gemspec" { return { first(/\.name\s*=\s*["']([^"']+)/, in: $0) } }
      return suffix == ".csproj" ? { first(/<PackageId>\s*([^<\s]+)/, in: $0) } : nil
    }
  }

  private static func first(_ pattern: Regex<(Substring, Substring)>, in lines: Lines) -> (Int, String)? {
    for line in lines {
      if let match = line.text.firstMatch(of: pattern) { return (line.number, String(match.1)) }
    }
    return nil
  }

  /// The lines of a pom.xml outside of the element `parent`.
  private static func withoutParent(_ lines: Lines) -> Lines {
    var isInside = false
    return lines.filter { line in
      if line.text.contains("<parent>") { isInside = true }
      defer { if line.text.contains("</parent>") { isInside = false } }
      return !isInside
    }
  }

  /// Whether a file is in a folder of examples, tests or fixtures, and so does not belong to the package.
  private static func isAside(_ path: String) -> Bool {
    Repository.folders(of: path).contains { isExampleFolder($0) || $0.hasPrefix("test") || $0 == "fixtures" }
  }

  // MARK: README

  /// Looks in the README for a section about installation and for a quickstart. Both must contain text.
  private var readme: Sight {
    guard let path = repository.paths.first(where: { !$0.contains("/") && $0.lowercased().hasPrefix("readme") }) else {
      return Sight(isFound: false, text: "the top folder has no README")
    }
    let sections = ReadmeSection.all(in: repository.lines(of: path)).filter(\.hasText)
    let installation = sections.first { $0.title.contains(/install|set ?up|add (it|the)/.ignoresCase()) }
    let quickstart = sections.first {
      $0.title.contains(/quick ?start|getting started|first steps|usage/.ignoresCase())
    }
    guard let installation, let quickstart else {
      let missing = [installation == nil ? "installation" : nil, quickstart == nil ? "a quickstart" : nil]
      return Sight(
        isFound: false, text: "no section with text is about \(missing.compactMap(\.self).joined(separator: " or "))",
        file: path)
    }
    return Sight(
      isFound: true, text: "section '\(installation.title)', and '\(quickstart.title)' in line \(quickstart.line)",
      file: path, line: installation.line)
  }
}
