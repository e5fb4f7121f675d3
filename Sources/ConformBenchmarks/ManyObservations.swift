import ConformanceModel
import FoundationEssentials

/// What a case costs with many observations, of which each step looks for its own: twice as many should cost twice as
/// much, and not four times.
struct ManyObservations {
  static let figure = "5,000 observations in one case"

  /// Each event is four observations: a command, its reply, a request and its response; and a step that awaits it.
  ///
  /// Not part of the catalogue: it says nothing about a subject that other cases do not.
  private static let text = """
    kit: 2
    cases:
      - case: bench.observations
        title: Many events in one case
        role: sdk
        needs: [initialization, events]
        rows: [ { row: "2500", sent: 625 }, { row: "5000", sent: 1250 } ]
        steps:
          - { call: initialize, with: { baseUrl: "${main.url}" } }
          - repeat:
              times: "${sent}"
              as: n
              steps:
                - { call: trackEvent, with: { name: "e${n}" } }
                - { await: { request: event, where: { body: { eventName: "e${n}" } } } }
        claims:
          - { requirement: LF-EVT-003, count: { request: event, is: "${sent}" } }

    """

  func measurements() throws -> [Measurement] {
    let (many, half) = (try seconds(row: "5000"), try seconds(row: "2500"))
    return [
      Measurement(
        Self.figure, many, "s", against: .init(name: "2,500 observations", value: half), target: .ratioAtMost(2))
    ]
  }

  /// How long a row of the case takes, alone, in a copy of the catalogue that has it.
  private func seconds(row: String) throws -> Double {
    let root = try ScratchFolder()
    for name in ["spec", "Fixtures"] {
      try FileManager.default.copyItem(atPath: "\(try Conform.catalogue())/\(name)", toPath: "\(root.path)/\(name)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(root.path)/spec").sorted()
    guard let name = names.first(where: { FileManager.default.fileExists(atPath: "\(root.path)/spec/\($0)/cases") })
    else { throw BenchFailure("the catalogue holds no protocol with cases") }
    try Data(Self.text.utf8).write(to: URL(filePath: "\(root.path)/spec/\(name)/cases/bench.yaml"))
    let run = try ReferenceRun(
      [
        "--root", root.path, "--role", "sdk", "--dialect", "spec", "--case", "bench.observations[\(row)]",
        "--time-limit", "600",
      ], within: .seconds(600))
    return run.record.cases.map(\.duration).reduce(0, +) / 1000
  }
}
