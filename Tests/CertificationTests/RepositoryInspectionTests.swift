import ConformanceModel
import Testing

@testable import Certification

@Suite struct RepositoryInspectionTests {
  typealias Place = CertificationTier.Submission.Place

  /// Files of a repository, and what is seen in them.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var place: Place
    var files: [String: String]
    var isFound: Bool
    var file: String?
    var line: Int?
    var says: String
  }

  static let manifests = [
    Row(
      testDescription: "npm", place: .manifest, files: ["package.json": "{\n  \"name\": \"@a/sdk\"\n}"], isFound: true,
      file: "package.json", line: 2, says: "'@a/sdk'"),
    Row(
      testDescription: "a private package of npm", place: .manifest,
      files: ["package.json": "{\"name\": \"a\",\n \"private\": true}"], isFound: false, says: "no manifest"),
    Row(
      testDescription: "pub", place: .manifest, files: ["pubspec.yaml": "# a\nname: my_sdk\n"], isFound: true,
      file: "pubspec.yaml", line: 2, says: "'my_sdk'"),
    Row(
      testDescription: "Maven, not its parent", place: .manifest,
      files: [
        "pom.xml": "<project>\n<parent>\n<artifactId>p</artifactId>\n</parent>\n<artifactId>sdk</artifactId>\n"
      ], isFound: true, file: "pom.xml", line: 5, says: "'sdk'"),
    Row(
      testDescription: "CocoaPods", place: .manifest, files: ["Sdk.podspec": "Pod::Spec.new do |s|\n  s.name = 'Sdk'"],
      isFound: true, file: "Sdk.podspec", line: 2, says: "'Sdk'"),
    Row(
      testDescription: "PyPI below a folder", place: .manifest,
      files: ["python/pyproject.toml": "[project]\nname = \"sdk\"\n"], isFound: true, file: "python/pyproject.toml",
      line: 2, says: "'sdk'"),
    Row(
      testDescription: "the manifest of an example only", place: .manifest,
      files: ["example/package.json": "{\"name\": \"demo\"}"], isFound: false, says: "no manifest"),
  ]

  static let workflows = [
    Row(
      testDescription: "GitHub", place: .workflow,
      files: [
        ".github/workflows/ci.yml": "name: lint and test\njobs:\n  a:\n    - run: npm run lint\n    - run: npm test"
      ],
      isFound: true, file: ".github/workflows/ci.yml", line: 4, says: "in .github/workflows/ci.yml line 5"),
    Row(
      testDescription: "names and comments only", place: .workflow,
      files: [".github/workflows/ci.yml": "name: lint and test\n# run: npm run lint\n  - test\n  test:\n"],
      isFound: false, file: ".github/workflows/ci.yml", says: "no step lints or tests"),
    Row(
      testDescription: "GitLab without lint", place: .workflow,
      files: [".gitlab-ci.yml": "test:\n  script: pytest -q\n"], isFound: false, file: ".gitlab-ci.yml",
      says: "no step lints in"),
    Row(
      testDescription: "steps that are switched off", place: .workflow,
      files: [
        ".github/workflows/ci.yml":
          "jobs:\n  a:\n    steps:\n      - run: npm run lint\n      - name: b\n        if: false\n        run: npm test\n"
      ], isFound: false, file: ".github/workflows/ci.yml", says: "no step tests in"),
    Row(
      testDescription: "a job that is switched off", place: .workflow,
      files: [
        ".github/workflows/ci.yml":
          "jobs:\n  a:\n    runs-on: x\n    if: ${{ false }}\n    steps:\n      - run: npm test\n  b:\n    steps:\n"
          + "      - run: npm run lint\n"
      ], isFound: false, file: ".github/workflows/ci.yml", says: "no step tests in"),
    Row(
      testDescription: "steps that only print", place: .workflow,
      files: [".gitlab-ci.yml": "a:\n  script:\n    - echo lint\n    - echo test && true\n"], isFound: false,
      file: ".gitlab-ci.yml", says: "no step lints or tests"),
    Row(
      testDescription: "a step that prints and tests", place: .workflow,
      files: [".gitlab-ci.yml": "a:\n  script:\n    - ruff check\n    - echo begin && pytest\n"], isFound: true,
      file: ".gitlab-ci.yml", line: 3, says: "line 4"),
    Row(testDescription: "nothing", place: .workflow, files: [:], isFound: false, says: "no file of a CI service"),
  ]

  static let readmes = [
    Row(
      testDescription: "Markdown", place: .readme,
      files: ["README.md": "# SDK\n\n## Installation\n\nnpm install a\n\n## Quickstart\n\nCall it.\n"], isFound: true,
      file: "README.md", line: 3, says: "'Quickstart' in line 7"),
    Row(
      testDescription: "reStructuredText", place: .readme,
      files: ["README.rst": "SDK\n===\n\nInstalling\n----------\n\npip\n\nGetting started\n---------------\n\nCall.\n"],
      isFound: true, file: "README.rst", line: 4, says: "'Getting started' in line 9"),
    Row(
      testDescription: "a section without text", place: .readme,
      files: ["README.md": "## Installation\n\n## Quickstart\n\nCall it.\n"], isFound: false, file: "README.md",
      says: "no section with text is about installation"),
    Row(
      testDescription: "placeholders", place: .readme,
      files: ["README.md": "## Installation\n\nTODO: write.\n\n## Usage\n\n- *Coming soon*\n<!-- text -->\n---\n"],
      isFound: false, file: "README.md", says: "installation or a quickstart"),
    Row(
      testDescription: "headings inside of code", place: .readme,
      files: ["README.md": "# SDK\n```sh\n# install\nx\n# usage\nx\n```\n"], isFound: false, file: "README.md",
      says: "installation or a quickstart"),
    Row(
      testDescription: "a README below", place: .readme, files: ["docs/README.md": "# Install\nx\n# Usage\nx"],
      isFound: false, says: "the top folder has no README"),
  ]

  static let examples = [
    Row(
      testDescription: "both flows", place: .example,
      files: ["example/lib/main.dart": "// createLink()\nsdk.initialize(\n  key);\nvar l = await sdk.createLink(a);"],
      isFound: true, file: "example/lib/main.dart", line: 2, says: "links in example/lib/main.dart line 4"),
    Row(
      testDescription: "in comments and longer names only", place: .example,
      files: ["examples/a.js": "// sdk.initialize()\nsdk.reinitialize()\nsdk.initializeLater()\nsdk.createLink({})"],
      isFound: false, file: "examples/a.js", says: "do not show set-up (a call of initialize)"),
    Row(
      testDescription: "in block comments and texts only", place: .example,
      files: [
        "example/a.ts":
          "/* sdk.initialize()\n createLink(1) */\nlog('initialize(', \"createLink()\", `a\ncreateLink()`); // initialize()"
      ], isFound: false, file: "example/a.ts", says: "do not show set-up (a call of initialize"),
    Row(
      testDescription: "in docstrings only", place: .example,
      files: ["example/a.py": "\"\"\"Call\nsdk.initialize()\n\"\"\"\nx = 'createLink()'  # createLink()"],
      isFound: false, file: "example/a.py", says: "do not show set-up (a call of initialize"),
    Row(
      testDescription: "in expressions inside of texts", place: .example,
      files: ["example/a.js": "log(`at ${sdk.initialize({ a: \"}\" })} don't`);\nlog(\"it's\", sdk.createLink('//'));"],
      isFound: true, file: "example/a.js", line: 1, says: "links in example/a.js line 2"),
    Row(
      testDescription: "outside of examples", place: .example,
      files: ["src/a.js": "sdk.initialize(); sdk.createLink()"], isFound: false, says: "contains a source file"),
  ]

  private static let flows = [
    CertificationTier.Submission.Flow(name: "set-up", calls: ["initialize"]),
    CertificationTier.Submission.Flow(name: "links", calls: ["createLink", "makeLink"]),
  ]

  private func inspection(of files: [String: String], ownCalls: [String: [String]] = [:]) -> RepositoryInspection {
    RepositoryInspection(
      Repository(paths: Array(files.keys)) { path in
        (files[path] ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }, ownCalls: ownCalls)
  }

  private func wanted(_ place: Place) -> CertificationTier.Submission {
    .init(id: "it", place: place, text: "It.", flows: place == .example ? Self.flows : [])
  }

  @Test(arguments: manifests + workflows + readmes + examples)
  func saysWhatWasSeenAndWhere(row: Row) {
    let finding = inspection(of: row.files).finding(of: wanted(row.place))
    #expect(finding.result == (row.isFound ? .found : .notFound), "\(finding)")
    #expect(finding.file == row.file && finding.line == row.line && finding.text.contains(row.says), "\(finding)")
  }

  @Test func anSDKNamesItsOwnCalls() {
    let files = ["example/a.js": "begin(1)\nmakeLink()"]
    #expect(inspection(of: files).finding(of: wanted(.example)).result == .notFound)
    #expect(inspection(of: files, ownCalls: ["set-up": ["begin"]]).finding(of: wanted(.example)).result == .found)
  }

  @Test func leavesToAPersonWhatOnlyAPersonKnows() {
    let finding = inspection(of: [:]).finding(of: wanted(.person))
    #expect(finding.result == .notFound && finding.text.contains("--attest it=TEXT"))
  }
}
