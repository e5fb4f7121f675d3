import ConformanceSpec
import JSONKit
import SpecDocuments
import Templates
import Testing

@testable import LinkFortyCore

@Suite struct CatalogueLoaderTests {
  @Test func theWholeCatalogueIsRead() async throws {
    let catalogue = try await Sample().sources().catalogue
    #expect(catalogue.definition.name == "sample")
    #expect(catalogue.definition.command("trackEvent", of: "sdk")?.capabilities == ["events"])
    #expect(
      catalogue.requirements.map(\.id)
        == ["SA-APP-001", "SA-EVT-001", "SA-EVT-002", "SA-EVT-003", "SA-EVT-004"])
    #expect(catalogue.requirements[1].source.document == "Sample specification")
    #expect(catalogue.requirements[2].source.document == "A page")
    #expect(catalogue.requirements[2].positions == ["P-1"])
    #expect(catalogue.positions.map(\.text) == ["It is queued."])
    #expect(catalogue.cases.map(\.id) == ["event.once", "event.queued", "event.answer", "app.asked", "event.online"])
    #expect(catalogue.case("event.kept")?.id == "event.queued")
    #expect(catalogue.exchange("event")?.bindings["minimal"] == ["name": "Example"])
    #expect(catalogue.models["Link"]?.fits(["code": "x"]) == true)
    #expect(catalogue.examples == ["Link": ["full": ["code": "abc"]]])
    #expect(catalogue.defects.map(\.caseName) == ["event.once[b]", "event.answer"])
    #expect(catalogue.variants.map(\.id) == ["event.chunked"])
  }

  @Test func casesAndClaimsKnowTheirLines() async throws {
    let cases = try await Sample().sources().catalogue.cases
    #expect(
      cases.map(\.file) == Array(repeating: Sample.cases, count: 3) + Array(repeating: Sample.otherCases, count: 2))
    #expect(cases.map(\.line) == [3, 17, 32, 3, 11])
    #expect(cases[0].scenarios[0].claims.map(\.line) == [15, 16])
  }

  @Test func responsesKeepRepeatedHeaderFields() async throws {
    let response = try #require(try await Sample().sources().catalogue.exchange("event")?.response("found", in: "spec"))
    #expect(
      try response.render(["link": ["code": "c"]], models: ["Link": Template(["code": "${:text}"])]).headers.values(
        "X-A") == ["1", "2"])
    #expect(response.status == 200)
  }

  @Test(arguments: ["{ request: event, asked: {}, lose: true }", "{ answer: event, asked: {}, delay: 1s }"])
  func onlyWhatAnAnswerSaysDependsOnItsRequest(_ bend: String) async throws {
    let sample = try Sample().replacing(
      "noticed: event.answer", with: "noticed: event.answer, bend: \(bend)", in: Sample.defects)
    let complaints = try await sample.complaints()
    #expect(complaints.contains { $0.contains("bend.asked: expected nothing") }, "\(complaints)")
  }

  @Test func everyProblemOfEveryFileIsTold() async throws {
    let sample = try Sample()
      .replacing("level: SHOULD", with: "level: SHOUL", in: Sample.requirements)
      .replacing("basis: position", with: "basis: positon", in: Sample.requirements)
      .replacing("how: status", with: "how: statsu", in: Sample.cases)
      .replacing("{ $like: \"${name}.\" }", with: "{ $like: \"(\" }", in: Sample.cases)
      .replacing("\"POST\"", with: "\"post\"", in: Sample.event)
      .replacing("${:text}", with: "${:txt}", in: Sample.link)
      .replacing("type: \"null\"", with: "typ: \"null\"", in: Sample.definition)
    let complaints = try await sample.complaints()
    #expect(
      complaints == [
        "spec/sample/protocol.yaml:33:15: $.commands[0].result.typ: expected a keyword of the kit's JSON Schema, found "
          + "'typ' — did you mean \"type\"?",
        "spec/sample/protocol.yaml:42:15: $.commands[1].result.typ: expected a keyword of the kit's JSON Schema, found "
          + "'typ' — did you mean \"type\"?",
        "spec/sample/protocol.yaml:52:15: $.commands[3].result.typ: expected a keyword of the kit's JSON Schema, found "
          + "'typ' — did you mean \"type\"?",
        "Fixtures/sample/exchanges/event.json:7:5: $.request.method: expected a method in capitals, found \"post\"",
        "Fixtures/sample/models/Link.json:6:5: $.template.code: expected a hole of kind any, array, boolean, date, "
          + "integer, number, object, string, text, timestamp, uuid, or the name of a golden model, found \"${:txt}\"",
        "spec/sample/cases/events.yaml:15:86: $.cases[0].claims[0].count.where.body.name.$like: expected a regular "
          + "expression, found \"(\"",
        "spec/sample/cases/events.yaml:26:20: $.cases[1].steps[2].fault.how: expected one of refuse, hang, "
          + "bad-chunk, tls, drop, hold, reset, truncate, stall, delay, drip, wrong-length, status, redirect, raw or a hole such as "
          + "${name}, found \"statsu\" — did you mean \"status\"?",
        "spec/sample/requirements/events.yaml:13:5: $.requirements[1].level: expected one of MUST, MUST NOT, SHOULD, "
          + "SHOULD NOT, MAY, OBSERVE, found \"SHOUL\" — did you mean \"SHOULD\"?",
        "spec/sample/requirements/events.yaml:14:5: $.requirements[1].basis: expected one of stated, published, standard, "
          + "observed, position, found \"positon\" — did you mean \"position\"?",
      ])
  }

  @Test func anUnknownProtocolNamesTheKnownOnes() async throws {
    let loader = CatalogueLoader(CatalogueFolder(texts: Sample().texts))
    let error = await #expect(throws: CatalogueError.self) { try await loader.sources(of: "sampel") }
    #expect(
      error?.description
        == "./spec: error: $: expected one of the protocols sample, found 'sampel' — did you mean \"sample\"?")
  }

  @Test func aMissingSchemaIsAnError() throws {
    let error = #expect(throws: CatalogueError.self) { try SchemaSet(CatalogueFolder(texts: Sample().texts)) }
    #expect(
      error?.diagnostics.last?.description
        == "spec/schema/shapes.schema.json: error: $: expected a file that can be read, found none")
    #expect(error?.diagnostics.count == SpecFileKind.allCases.count)
  }

  @Test func aSchemaThatIsNoneIsAnError() throws {
    var texts = Sample().texts
    texts["spec/schema/cases.schema.json"] = "{ \"typ\": \"object\" }"
    let error = #expect(throws: CatalogueError.self) { try SchemaSet(CatalogueFolder(texts: texts)) }
    #expect(error?.diagnostics.first?.hint == "did you mean \"type\"?")
  }

  @Test func filesThatNobodyReadsAreKnown() throws {
    var sample = Sample()
    for path in ["spec/sample/case.yaml", "spec/sample/cases/a.yml", "Fixtures/sample/models/notes.txt"] {
      sample.texts[path] = ""
    }
    sample.texts["spec/sample/cases/.keep"] = ""
    sample.texts["Fixtures/sample/transcripts/a.jsonl"] = ""
    let loader = CatalogueLoader(CatalogueFolder(texts: sample.texts))
    #expect(
      loader.strayFiles(of: "sample")
        == ["spec/sample/case.yaml", "spec/sample/cases/a.yml", "Fixtures/sample/models/notes.txt"])
  }

  @Test func theCatalogueOnDiskIsFound() async throws {
    #expect(CatalogueFolder(root: Sample.repository).availableProtocols().contains("kit") == false)
    let folder = CatalogueFolder(root: Sample.repository)
    #expect(try folder.bytes(of: "Package.swift").isEmpty == false)
    #expect(throws: Diagnostic.self) { try folder.bytes(of: "nothing") }
  }
}
