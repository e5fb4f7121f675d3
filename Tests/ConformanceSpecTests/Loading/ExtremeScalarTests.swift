import ConformanceSpec
import JSONKit
import SpecDocuments
import Testing

/// Whatever a scalar of a file is, reading and lint end with sentences that say where, and never with the process.
@Suite struct ExtremeScalarTests {
  /// Values at the ends of what numbers and texts can be.
  private static let extremes: [JSON] =
    [
      "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1.0e+400", "-1.0e+400", "1.0e-400",
      "1.0e+9223372036854775807", "-0", String(repeating: "9", count: 1000),
    ].compactMap { JSON.Number(lexeme: $0).map(JSON.number) } + [
      .null, "", "\0", "${", "${9223372036854775807}", "$[9223372036854775807]", "$[9223372036854775808]",
      "9223372036854775807h", "2501999792h", "1e400h", "٣h", "a{9223372036854775808}",
      .string(String(repeating: "x", count: 100_000)), .string(String(repeating: "(", count: 10_000)),
    ]

  /// Each word of a case that takes a number, a time, a path or a pattern.
  private static let everything = """
      - case: event.everything
        title: Every word that takes a number
        role: sdk
        dialects: [spec]
        needs: [events]
        rows: [ { row: a, times: 2 } ]
        steps:
          - { call: initialize, with: { url: { $repeat: ab, times: 3 } } }
          - repeat:
              times: "${times}"
              as: a
              steps:
                - { repeat: { times: 40, as: b, steps: [ { call: trackEvent, with: { name: "${a}-${b}" }, as: "e${a}-${b}" } ] } }
                - { advance: 2h }
          - { answer: event, response: found, status: 200, times: 2, set: { "$.a[2]": 1 }, remove: ["$.b"] }
          - { fault: { how: truncate, bytes: 3, exchange: event, skip: 1, times: 2 } }
          - { fault: { how: drip, bytes: 3, by: 2s } }
          - { fault: { how: wrong-length, by: 3 } }
          - { fault: { how: delay, by: 2s } }
          - { fault: { how: reset, bytes: 1 } }
          - { fault: { how: redirect, status: 302, location: "/" } }
          - { await: { request: event, count: 2, within: 5s } }
          - { settle: 5s }
        claims:
          - { requirement: SA-EVT-001, count: { request: event, where: { body: { name: { $like: "a.*" } } }, is: { $at-least: 2 } } }
          - { requirement: SA-EVT-001, matches: { request: event, is: { body: { name: { $length: 3 } } } } }

    """

  private static let sample = Sample().appending(everything, to: Sample.cases)

  /// A file with one scalar replaced, as JSON, which YAML is too.
  struct Change: Sendable {
    var file: String
    var path: JSONPath
    var value: JSON
  }

  @Test(arguments: sample.texts.keys.sorted())
  func noScalarEndsTheProcess(file: String) async throws {
    let text = try #require(Self.sample.texts[file])
    let value = try SpecDocument(file: file, bytes: Array(text.utf8)).value
    try #require(try await Self.sample.lint().filter { $0.rule == "schema" || $0.rule == "value" } == [])
    for (number, path) in value.scalarPaths.enumerated() {
      // All of them where every number stands, elsewhere each in its turn: the tests would take minutes.
      let isThorough = path.steps.starts(with: [.key("cases"), .index(3)])
      for (turn, extreme) in Self.extremes.enumerated() where isThorough || (number + turn) % 6 == 0 {
        var changed = Self.sample
        changed.texts[file] = value.setting(extreme, at: path).prettyText
        for diagnostic in try await changed.lint() {
          #expect(!diagnostic.file.isEmpty && diagnostic.line > 0, "\(path) = \(extreme.excerpt): \(diagnostic)")
        }
      }
    }
  }

  private static let provisioning = """
    url: https://host/base
    dialect: spec
    headers: { X-A: "1" }
    values: {}
    secrets: [hush-hush]
    clientAddressHeader: X-Forwarded-For
    trust: ca.pem
    hooks:
      makeLink:
        http: { method: PUT, url: "https://admin/${code}", headers: { A: b }, body: { c: { $repeat: ab, times: 3 } } }
        result: { id: "${answer.body.id}" }
        timeLimit: 2m
    """

  @Test func noScalarOfAProvisioningFileEndsTheProcess() async throws {
    let definition = try await Self.sample.sources().catalogue.definition
    let reader = try ProvisioningFile(CatalogueFolder(root: Sample.repository), definition: definition, exchanges: [])
    let value = try SpecDocument(file: "p.yaml", bytes: Array(Self.provisioning.utf8)).value
    for path in value.scalarPaths {
      for extreme in Self.extremes {
        let text = value.setting(extreme, at: path).prettyText
        do throws(CatalogueError) {
          _ = try reader.read(Array(text.utf8), file: "p.yaml", variables: [:])
        } catch {
          for diagnostic in error.diagnostics {
            #expect(diagnostic.line > 0, "\(path) = \(extreme.excerpt): \(diagnostic)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("{ $repeat: ab, times: 3 }", "{ $repeat: ab, times: 9223372036854775807 }", "a text of at most 16 MiB"),
    ("{ $repeat: ab, times: 3 }", "{ a: [ { $repeat: ab, times: 9223372036854775807 } ] }", "a text of at most 16 MiB"),
    ("times: 40,", "times: 9223372036854775807,", "a count from 0 to 1000000 or a hole such as ${name}"),
    ("times: 2 } ]", "times: 1000000001 } ]", "a count from 0 to 1000000 or a hole such as ${name}"),
    ("advance: 2h", "advance: 9223372036854775807h", "a time such as 800ms, 5s, 90m or 48h, or soon"),
  ])
  func whatIsTooLargeIsTold(old: String, new: String, expected: String) async throws {
    let changed = try Self.sample.replacing(old, with: new, in: Sample.cases)
    let line = try #require(changed.texts[Sample.cases]?.split(separator: "\n", omittingEmptySubsequences: false))
      .firstIndex { $0.contains(new) }
    let complaints = try await changed.lint().filter { $0.expected == expected }
    #expect(complaints.count == 1)
    #expect(complaints.first?.line == line.map { $0 + 1 } || old.hasPrefix("times: 2"), "\(complaints)")
  }
}

extension JSON {
  /// The paths of all values that hold no others.
  fileprivate var scalarPaths: [JSONPath] {
    switch self {
    case .array(let elements):
      elements.enumerated().flatMap { index, element in
        element.scalarPaths.map { JSONPath([.index(index)] + $0.steps) }
      }
    case .object(let object):
      object.members.flatMap { member in member.value.scalarPaths.map { JSONPath([.key(member.key)] + $0.steps) } }
    default: [.root]
    }
  }
}
