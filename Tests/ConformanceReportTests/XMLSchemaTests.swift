import Files
import Testing

@testable import ConformanceReport
@testable import Records

@Suite struct XMLSchemaTests {
  static let list = """
    <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
      <xs:element name="list"><xs:complexType><xs:sequence>
        <xs:element name="n" type="xs:integer" maxOccurs="unbounded"/>
      </xs:sequence></xs:complexType></xs:element>
    </xs:schema>
    """

  private func problems(_ document: String) throws -> [String] {
    try XMLSchema(Array(Self.list.utf8)).problems(in: Array(document.utf8)).map(\.description)
  }

  @Test func aValidDocumentHasNoProblems() throws {
    #expect(try problems("<list><n>1</n><n>2</n></list>").isEmpty)
  }

  @Test func everyProblemIsListedWithItsLine() throws {
    let problems = try problems("<list>\n<n>1</n>\n<n>one</n>\n<m/>\n</list>")
    #expect(problems.contains { $0.hasPrefix("line 3: ") && $0.contains("'one' is not a valid value") }, "\(problems)")
    #expect(
      problems.contains { $0.hasPrefix("line 4: ") && $0.contains("'m': This element is not expected") }, "\(problems)")
  }

  @Test(arguments: ["", "no xml", "<list><n>1</n>", "<list><n>\u{1}</n></list>", "<list><n>1</n></list><list/>"])
  func whatIsNotWellFormedIsAProblem(document: String) throws {
    #expect(try !problems(document).isEmpty)
  }

  @Test func aDoctypeIsRefusedAndNoEntityIsRead() throws {
    let folder = try TemporaryFolder()
    let secret = try folder.file("secret", holding: "12345")
    let problems = try problems(
      "<!DOCTYPE list [<!ENTITY e SYSTEM \"file://\(secret)\">]>\n<list><n>&e;</n></list>")
    #expect(problems.contains { $0.contains("a DOCTYPE is not allowed") }, "\(problems)")
    #expect(!problems.contains { $0.contains("12345") })
  }

  @Test func aFileIsReadAsItStreams() throws {
    let folder = try TemporaryFolder()
    let schema = try XMLSchema(Array(Self.list.utf8))
    let many = String(repeating: "<n>1</n>\n", count: 50_000)
    let valid = try folder.file("valid.xml", holding: "<list>\n\(many)</list>")
    #expect(try schema.problems(inFile: valid).isEmpty)
    let invalid = try folder.file("invalid.xml", holding: "<list>\n\(many)<n>x</n></list>")
    #expect(try schema.problems(inFile: invalid).map(\.line) == [50_002])
    let missing = folder.file("missing.xml")
    #expect(throws: FileProblem.self) { try schema.problems(inFile: missing) }
  }

  @Test func aSchemaThatIsNoneIsRefused() throws {
    #expect(throws: XMLSchema.Problem.self) { _ = try XMLSchema(Array("<a/>".utf8)) }
    #expect(throws: XMLSchema.Problem.self) { _ = try XMLSchema([]) }
  }

  @Test func aSchemaCannotIncludeAFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("list.xsd", holding: Self.list)
    let including = """
      <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:include schemaLocation="file://\(path)"/></xs:schema>
      """
    #expect(throws: XMLSchema.Problem.self) { _ = try XMLSchema(Array(including.utf8)) }
  }
}
