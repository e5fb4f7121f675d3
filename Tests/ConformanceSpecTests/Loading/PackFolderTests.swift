import Foundation
import SpecDocuments
import Testing

@testable import ConformanceSpec
@testable import LinkFortyCore
@testable import Lint

/// A protocol that is one folder on disk, anywhere and of any name.
@Suite struct PackFolderTests {
  /// The sample as one folder, gone with the test.
  private final class Pack {
    let path: String

    init(_ texts: [String: String]) throws {
      path = FileManager.default.temporaryDirectory.appending(path: "pack-\(UUID())").path
      for (name, text) in texts { try write(String(name.split(separator: "/", maxSplits: 2)[2]), text) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
      let file = URL(filePath: "\(path)/\(name)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }

    func loader() throws -> CatalogueLoader {
      CatalogueLoader(try CatalogueFolder(pack: path), schemas: try Sample.schemas.get())
    }

    func lint() async throws -> [Diagnostic] {
      await Linter.lint(try CatalogueFolder(pack: path), protocol: "sample", schemas: try Sample.schemas.get())
    }
  }

  @Test func itReadsAsTheTwoTreesDo() async throws {
    let sample = Sample()
    let trees = try await sample.sources().catalogue
    let pack = try Pack(sample.texts)
    let catalogue = try await pack.loader().sources(of: "sample").catalogue
    #expect(catalogue.definition == trees.definition)
    #expect(catalogue.requirements == trees.requirements)
    #expect(catalogue.cases.map(\.id) == trees.cases.map(\.id))
    #expect(catalogue.cases.map(\.digest) == trees.cases.map(\.digest))
    #expect(catalogue.exchanges == trees.exchanges)
    #expect(catalogue.models == trees.models)
    #expect(catalogue.defects == trees.defects)
  }

  private static let shared = [
    "spec/common/requirements/form.yaml": """
    kit: 2
    requirements:
      - id: CO-REQ-001
        role: sdk
        level: MUST
        basis: standard
        source: { document: RFC 9112, section: "3.2", revision: "2022-06" }
        text: The SDK MUST send one Host field.
    """,
    "spec/common/requests.yaml":
      "kit: 2\nrequests:\n  - { requirement: CO-REQ-001, check: { name: known } }\n",
    "spec/common/defects/all.yaml": """
    kit: 2
    defects:
      - { id: common.lf, side: sdk, breaks: CO-REQ-001, text: "Ends a line with LF.", bend: { request: any, rewrite: { find: "\\r\\n", with: "\\n" } } }
    """,
  ]

  @Test(arguments: [false, true]) func itIncludesAPackOfTheProgram(isFolder: Bool) async throws {
    var sample = try Sample().replacing(
      "\nservices:", with: "\nincludes:\n  - { pack: common, cases: [event.once] }\nservices:", in: Sample.definition)
    let pack = try Pack(sample.texts)
    sample.texts.merge(Self.shared) { own, _ in own }
    let folder =
      isFolder
      ? try CatalogueFolder(pack: pack.path).including(from: CatalogueFolder(texts: Self.shared))
      : CatalogueFolder(texts: sample.texts)
    let loader = CatalogueLoader(folder, schemas: try Sample.schemas.get())
    let catalogue = try await loader.sources(of: "sample").catalogue
    #expect(catalogue.requirement("CO-REQ-001")?.basis == .standard)
    let made = catalogue.cases.filter { $0.scenarios.allSatisfy { $0.claims.last?.requirement == "CO-REQ-001" } }
    #expect(made.map(\.id) == ["event.once"])
    let defect = try #require(catalogue.defects.first { $0.id == "common.lf" })
    #expect(defect.caseName == "event.once[a]")
    #expect(defect.bend?.change == .rewrite(find: "\r\n", with: "\n"))
    #expect(loader.digest(of: "sample") != CatalogueLoader(CatalogueFolder(texts: Sample().texts)).digest(of: "sample"))
  }

  @Test func itsNameIsTheProtocolsAndNotTheFolders() async throws {
    let pack = try Pack(Sample().texts)
    #expect(try CatalogueFolder(pack: pack.path).availableProtocols() == ["sample"])
    #expect(try await pack.lint().filter { $0.severity == .error }.isEmpty)
  }

  @Test func itsDigestIsTheSameWhereverItLies() async throws {
    let packs = try [
      Pack(Sample().texts), Pack(Sample().texts), Pack(Sample().appending("# note\n", to: Sample.states).texts),
    ]
    var digests: [String] = []
    for pack in packs { digests.append(try await pack.loader().sources(of: "sample").digest) }
    #expect(digests[0] == digests[1])
    #expect(digests[0] != digests[2])
  }

  @Test func whatLiesBesideItsDataIsNotLookedAt() throws {
    let pack = try Pack(Sample().texts)
    let beside = ["adapter.py", "node_modules/a/cases/b.yaml", "provisioning.yaml", ".git/config", "README.md"]
    for name in beside { try pack.write(name, "") }
    #expect(try pack.loader().strayFiles(of: "sample") == [])
    let stray = ["cases/a.yml", "exchanges/notes.txt", "position.yaml"]
    for name in stray { try pack.write(name, "") }
    #expect(try pack.loader().strayFiles(of: "sample") == stray.map { "\(pack.path)/\($0)" })
  }

  @Test(arguments: [
    "protocol.yaml", "requirements/events.yaml", "positions.yaml", "steps.yaml", "cases/events.yaml",
    "defects/all.yaml", "exchanges/ask.json", "models/Link.json",
  ])
  func aFileOfALaterKitIsToldAlone(name: String) async throws {
    var texts = Sample().texts
    let path = try #require(texts.keys.first { $0.hasSuffix("/sample/\(name)") })
    texts[path] = texts[path]?.replacing("kit: 2", with: "kit: 3").replacing("\"kit\": 2", with: "\"kit\": 3")
    let pack = try Pack(texts)
    let loader = try pack.loader()
    let error = await #expect(throws: CatalogueError.self) { try await loader.sources(of: "sample") }
    let found = try #require(error?.diagnostics)
    #expect(found.count == 1, "\(found)")
    #expect(found[0].description.hasPrefix("\(pack.path)/\(name):"))
    #expect(found[0].line > 0)
    #expect(found[0].description.contains("$.kit: expected at most 2"))
    #expect(found[0].hint?.contains("made for a later kit") == true)
  }

  @Test func aMistakeIsShownWhereAPersonCanOpenIt() async throws {
    let broken = try Sample().replacing("role: sdk", with: "role: sdq", in: Sample.cases)
    let pack = try Pack(broken.texts)
    let found = try await pack.lint()
    #expect(!found.isEmpty)
    for diagnostic in found { #expect(FileManager.default.fileExists(atPath: diagnostic.file), "\(diagnostic)") }
  }

  @Test(arguments: [
    ("", "$.protocol: expected the name of the protocol, found none"), ("protocol: [\n", "protocol.yaml:"),
  ])
  func aDefinitionWithoutANameIsTold(text: String, says: String) throws {
    let pack = try Pack(["spec/sample/protocol.yaml": "kit: 2\n" + text])
    let error = #expect(throws: Diagnostic.self) { try CatalogueFolder(pack: pack.path) }
    #expect(error?.description.contains(says) == true, "\(String(describing: error))")
  }
}
