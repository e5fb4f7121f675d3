import ConformanceModel
import Testing

@testable import ConformanceBench
@testable import MockServices
@testable import Recording
@testable import Subjects

@Suite struct CaseNamesTests {
  private func unique(_ row: String?, _ dialect: Dialect, _ epoch: Int) throws -> String {
    let instance = CaseInstance(id: "links.made", row: row, dialect: dialect)
    return try #require(instance.bindings(epoch: epoch)["unique"]?.string)
  }

  @Test func noOtherRowDialectOrRunHasACasesText() throws {
    let epoch = 1_772_323_200_000
    let texts = [
      try unique(nil, "spec", epoch), try unique("a", "spec", epoch), try unique("a", "cloud", epoch),
      try unique("a", "spec", epoch + 1),
    ]
    #expect(Set(texts).count == texts.count)
    let again = try unique("a", "spec", epoch)
    #expect(again == texts[1])
    #expect(texts.allSatisfy { $0.count <= 14 && $0.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) } })
  }
}
