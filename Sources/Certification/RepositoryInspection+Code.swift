import ConformanceModel

extension RepositoryInspection {
  // MARK: Workflow

  /// Looks in the configuration files of CI services for a step that lints and for a step that tests.
  var workflow: Sight {
    let files = repository.paths.filter(Self.isWorkflow)
    var lint: (path: String, line: Int, text: String)?
    var test: (path: String, line: Int, text: String)?
    for path in files {
      for line in WorkflowSteps(repository.lines(of: path)).lines {
        if lint == nil, Self.lints(line.command) { lint = (path, line.number, line.text) }
        if test == nil, Self.tests(line.command) { test = (path, line.number, line.text) }
      }
    }
    guard let lint, let test else {
      guard !files.isEmpty else { return Sight(isFound: false, text: "the repository has no file of a CI service") }
      let missing = [lint == nil ? "lints" : nil, test == nil ? "tests" : nil].compactMap(\.self)
      return Sight(
        isFound: false, text: "no step \(missing.joined(separator: " or ")) in \(files.joined(separator: ", "))",
        file: files[0])
    }
    return Sight(
      isFound: true, text: "lints with '\(lint.text)', and tests with '\(test.text)' in \(test.path) line \(test.line)",
      file: lint.path, line: lint.line)
  }

  private static func isWorkflow(_ path: String) -> Bool {
    let name = Repository.name(of: path)
    let isYAML = name.hasSuffix(".yml") || name.hasSuffix(".yaml")
    let folders = [".github/workflows/", ".gitea/workflows/", ".forgejo/workflows/"]
    if folders.contains(where: path.hasPrefix) { return isYAML }
    return [
      ".gitlab-ci.yml", ".circleci/config.yml", ".travis.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml",
      "bitrise.yml", "buildspec.yml", "codemagic.yaml", ".buildkite/pipeline.yml", ".cirrus.yml", "Jenkinsfile",
    ].contains(path)
  }

  private static func lints(_ text: String) -> Bool {
    text.contains(
      /\b(lint|eslint|ktlint|detekt|swiftlint|flake8|ruff|pylint|mypy|analyze|clippy|checkstyle|rubocop|tsc|vet|biome)\b/
    ) || text.contains(/golangci-lint|swift[ -]format|dotnet format|prettier --check|cargo fmt|spotlessCheck/)
  }

  private static func tests(_ text: String) -> Bool {
    text.contains(/\b(tests?|pytest|jest|vitest|tox|xcodebuild test|rspec|phpunit|ctest)\b/)
      || text.contains(/connectedCheck|gradlew? (.* )?check\b/)
  }

  // MARK: Example

  /// Looks in the files of examples for one call of an SDK function for each flow.
  func example(showing flows: [CertificationTier.Submission.Flow]) -> Sight {
    let files = repository.paths.filter(Self.isExample)
    guard let first = files.first else {
      return Sight(
        isFound: false, text: "no folder such as example, examples, sample or demo contains a source file")
    }
    var shown: [String] = []
    var missing: [String] = []
    var place: (file: String, line: Int)?
    for flow in flows {
      let calls = ownCalls[flow.name] ?? flow.calls
      if let found = call(of: calls, in: files) {
        place = place ?? (found.file, found.line)
        shown.append("\(flow.name) in \(found.file) line \(found.line)")
      } else {
        missing.append("\(flow.name) (a call of \(calls.joined(separator: ", ")))")
      }
    }
    guard missing.isEmpty else {
      return Sight(
        isFound: false,
        text: "the \(files.count) source files of examples do not show \(missing.joined(separator: " and "))",
        file: first)
    }
    let text = shown.isEmpty ? "there is an example" : "shows " + shown.joined(separator: ", ")
    return Sight(isFound: true, text: text, file: place?.file ?? first, line: place?.line)
  }

  static func isExampleFolder(_ name: String) -> Bool {
    name.hasPrefix("example") || ["sample", "samples", "demo", "demos"].contains(name)
  }

  private static func isExample(_ path: String) -> Bool {
    let extensions = [
      "c", "cc", "cpp", "cs", "dart", "go", "html", "java", "js", "jsx", "kt", "kts", "m", "mjs", "mm", "php", "py",
      "rb", "rs", "swift", "ts", "tsx", "vue",
    ]
    let name = Repository.name(of: path)
    guard let dot = name.lastIndex(of: ".") else { return false }
    return extensions.contains(String(name[name.index(after: dot)...]))
      && Repository.folders(of: path).contains(where: isExampleFolder)
  }

  /// The place of the first call of any of these functions. Ignores comments and the contents of string literals.
  private func call(of names: [String], in files: [String]) -> (file: String, line: Int)? {
    for file in files {
      for line in SourceCode(repository.lines(of: file), of: file).lines
      where names.contains(where: { Self.calls($0, line.text) }) {
        return (file, line.number)
      }
    }
    return nil
  }

  /// Whether a line contains a call of a function: the function's name as a whole word, followed by `(`, `{` or `<`.
  static func calls(_ name: String, _ text: String) -> Bool {
    var rest = text[...]
    while let found = rest.firstRange(of: name) {
      let before = found.lowerBound == text.startIndex ? nil : text[text.index(before: found.lowerBound)]
      let after = text[found.upperBound...].first { $0 != " " }
      let isWord = before.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true
      if isWord, let after, "({<".contains(after) { return true }
      rest = rest[found.upperBound...]
    }
    return false
  }
}
