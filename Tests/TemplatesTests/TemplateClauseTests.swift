import JSONKit
import Templates
import Testing

/// The words in which a finding says what a filter picks.
@Suite struct TemplateClauseTests {
  @Test(
    arguments: [
      (["body": ["name": "a"]], #"body.name is "a""#),
      (["body": ["name": "${name}", "id": "${:uuid}"]], #"body.name is "bound" and body.id is a UUID"#),
      (["body": ["name": "${:any}", "at": "${unknown}"]], "body.name is present and body.at is present"),
      (["answered": ["$status": "ok"]], "answer is a status from 200 to 299"),
      (["query": ["code": ["$absent": true]]], "query.code is absent"),
      (["query": ["code": ["$not": ["$absent": true]]]], "query.code is present"),
      (["method": ["$not": "PUT"]], #"method is not "PUT""#),
      (["body": ["$not": ["name": "${:string}"]]], "body.name is not a string"),
      (["body": ["$not": ["name": ["$not": "a"]]]], #"not (body.name is not "a")"#),
      (["body": ["$not": ["a": 1, "b": 2]]], "not (body.a is 1 and body.b is 2)"),
      (["path": ["$not": ["$like": ".*/items"]]], "path does not match /.*/items/"),
      (["$not": ["path": ["$like": "/a"]]], "path does not match //a/"),
      (["ok": ["$not": ["$one-of": [true, "yes"]]]], #"ok is none of true, "yes""#),
      (["url": "${name}/a"], #"url is "bound/a""#), (["url": "${other}/a"], "url is text like '<other>/a'"),
      (["path": ["$like": ".*/items"]], "path is text that matches /.*/items/"),
      (["ok": ["$one-of": [true, "yes"]]], #"ok is one of true, "yes""#),
      (["$one-of": [["a": 1], ["b": 2]]], "(a is 1) or (b is 2)"),
      (["$all-of": [["a": 1], ["b": 2]]], "a is 1 and b is 2"),
      (["list": ["$some": ["name": "a"]]], #"list has an element whose name is "a""#),
      (["list": ["$some": 3]], "list is an element that is 3"),
      (["list": ["$every": ["name": "${:text}"]]], "list has only elements whose name is a non-empty string"),
      (["body": ["$only": ["a": 1]]], "body.a is 1 and body has no other member"),
      (["body": ["note?": "b"]], #"body.note is "b" or is absent"#),
      (["text": ["$length": 3]], "text is a length of 3"),
      (7, "value is 7"), ([:], "value is an object"), (["body": [:]], "body is an object"),
    ] as [(JSON, String)])
  func aFilterIsSaidInWords(filter: JSON, words: String) throws {
    #expect(try Template(filter).clause(["name": "bound"]) == words)
  }

  @Test func aLongClauseIsCut() throws {
    let long = JSON.string(String(repeating: "n", count: 100))
    let clause = try Template(["body": ["name": long, "note": long]]).clause([:])
    #expect(clause.count == 160 && clause.hasSuffix("..."))
  }
}
