import ConformanceModel

@testable import ConformanceSpec

/// A protocol with one case and one exchange, for the tests of coverage.
struct SmallProtocol {
  /// The text of `protocol.yaml`.
  var definition: String
  /// The name and the text of the exchange.
  var exchange: (name: String, text: String)
  var requirements = Self.oneRequirement

  /// A file with the requirement AA-001 of an SDK.
  static let oneRequirement = """
    kit: 2
    requirements:
      - { id: AA-001, role: sdk, level: MUST, basis: stated, source: { section: "1", revision: "1" }, text: A. }

    """

  /// The protocol with a case of these steps.
  ///
  /// - Parameters:
  ///   - rows: the lines of the member `rows` of the case.
  ///   - claim: the claim of the case without its braces.
  ///   - reasons: the lines of `coverage.yaml`.
  func sources(
    _ steps: [String], role: String = "sdk", rows: String = "",
    claim: String = "requirement: AA-001, count: { request: event, is: 1 }", reasons: String = ""
  ) async throws -> CatalogueSources {
    let text = """
      kit: 2
      cases:
        - case: a
          title: A
          role: \(role)
      \(rows)    steps:
      \(steps.map { "      - { \($0) }\n" }.joined())    claims:
            - { \(claim) }
      """
    let files = [
      "spec/small/protocol.yaml": definition, "spec/small/requirements/a.yaml": requirements,
      "spec/small/coverage.yaml": "kit: 2\n\(reasons)", "spec/small/cases/a.yaml": text,
      "Fixtures/small/exchanges/\(exchange.name).json": exchange.text,
    ]
    return try await CatalogueLoader(CatalogueFolder(texts: files), schemas: Sample.schemas.get()).sources(of: "small")
  }
}
