import ConformanceTranscript
import ConformanceVerdict

/// The steps of an account that are never omitted. These are the steps that change the subject's environment, and the
/// steps that findings name.
struct KeySteps {
  private static let words: Set<String> = ["restart", "fault", "heal", "hold", "release", "surroundings"]

  /// The quoted words in the findings. Some of them are labels of steps.
  private let labels: Set<String>
  /// Whether findings are about URLs. If so, `initialize` is a key step, since this command gave the subject its URLs.
  private let isAboutAddresses: Bool

  init(of findings: [Finding]) {
    let texts = findings.flatMap { [$0.subject, $0.expected, $0.observed] }
    labels = Set(texts.flatMap { $0.split(separator: "'", omittingEmptySubsequences: false).map(String.init) })
    isAboutAddresses = findings.contains { ($0.expected + $0.observed).contains("://") }
  }

  func contains(_ mark: TranscriptEntry.StepMark) -> Bool {
    let word = String(mark.word.prefix { $0 != " " })
    return Self.words.contains(word) || mark.label.map(labels.contains) ?? false
      || isAboutAddresses && word == "initialize"
  }
}
