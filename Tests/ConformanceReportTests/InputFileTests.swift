import Files
import Testing

@testable import Records

@Suite struct InputFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 65_536, 65_537, 200_000])
  func readsAWholeFileUpToItsBound(size: Int) throws {
    let path = folder.file("file")
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    try OutputFile(path).write(bytes)
    #expect(try InputFile.contents(of: path, atMost: size) == bytes)
    guard size > 0 else { return }
    let problem = #expect(throws: FileProblem.self) { try InputFile.contents(of: path, atMost: size - 1) }
    #expect(problem?.reason == "it is longer than \(size - 1) bytes")
  }

  @Test func namesAFileThatIsNotThere() {
    let path = folder.file("none")
    let problem = #expect(throws: FileProblem.self) { try InputFile.contents(of: path, atMost: 1) }
    #expect(problem?.file == path)
  }
}
