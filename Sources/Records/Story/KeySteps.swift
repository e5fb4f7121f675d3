import ConformanceTranscript
import ConformanceVerdict
import JSONKit

/// The steps of an account that are never omitted. These are the steps that change the subject's environment, the steps
/// that findings name, and the calls whose parameters contain a value that findings name.
struct KeySteps {
  private static let words: Set<String> = ["restart", "fault", "heal", "hold", "release", "surroundings"]
  /// At most this number of steps are key steps because their calls contain a value from the findings. Steps that
  /// findings name do not count towards this limit.
  private static let mostCalls = 3

  /// The quoted words in the findings. Some of them are labels of steps or names of callbacks.
  private let labels: Set<String>
  /// The JSON texts in the subjects and expectations of the findings. Some of them are parameters of calls.
  private let values: Set<String>
  /// Whether findings are about URLs. If so, `initialize` is a key step, since this command gave the subject its URLs.
  private let isAboutAddresses: Bool

  init(of findings: [Finding]) {
    let texts = findings.flatMap { [$0.subject, $0.expected, $0.observed] }
    labels = Set(texts.flatMap { $0.split(separator: "'", omittingEmptySubsequences: false).map(String.init) })
    let wanted = findings.flatMap { [$0.subject, $0.expected] }
    values = Set(wanted.flatMap { $0.matches(of: #/"([^"\\]+)"/#).map { String($0.1) } })
    isAboutAddresses = findings.contains { ($0.expected + $0.observed).contains("://") }
  }

  /// Maps the number of the first entry of each key step to a Bool. It is true if a finding names the step or a value
  /// of its calls. Then the messages of the step are important, too.
  func places(in steps: [PlayedStep]) -> [Int: Bool] {
    var calls = 0
    var places: [Int: Bool] = [:]
    for step in steps {
      guard let mark = step.mark else { continue }
      if mark.label.map(labels.contains) ?? false {
        places[step.first] = true
      } else if calls < Self.mostCalls, step.texts.contains(where: { labels.contains($0) || values.contains($0) }) {
        calls += 1
        places[step.first] = true
      } else if isWorldStep(mark) {
        places[step.first] = false
      }
    }
    return places
  }

  private func isWorldStep(_ mark: TranscriptEntry.StepMark) -> Bool {
    let word = String(mark.word.prefix { $0 != " " })
    return Self.words.contains(word) || isAboutAddresses && word == "initialize"
  }
}

extension PlayedStep {
  /// The texts among the parameters of the step's calls.
  fileprivate var texts: [String] {
    acts.flatMap { act -> [String] in
      switch act {
      case .command(let command): command.params.texts
      case .operated(_, let operation): operation.params.texts
      default: []
      }
    }
  }
}

extension JSON {
  /// All texts in the value. Names of members do not count.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let object): object.members.flatMap(\.value.texts)
    default: []
    }
  }
}
