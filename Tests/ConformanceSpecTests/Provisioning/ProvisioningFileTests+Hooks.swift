import ConformanceModel
import ConformanceProvisioning
import SpecDocuments
import Templates
import Testing

@testable import ConformanceSpec

/// The hooks of a file: maps of values, clean-up and logins.
extension ProvisioningFileTests {
  @Test func readsMapsCleanUpAndLogins() throws {
    let provisioning = try read(
      """
      url: http://h
      hooks:
        makeLink:
          map: { flag: { of: "${state}", to: { "on": true, "off": false } } }
          http: { path: /l, body: { active: "${flag}" } }
      cleanUp: { http: { method: DELETE, path: /clicks } }
      logins:
        apiKey:
          http: { path: /login, body: { user: anna } }
          result: "${answer.body.token}"
      """)
    guard case .http(let call) = provisioning.hooks["makeLink"]?.action else {
      Issue.record("\(String(describing: provisioning.hooks["makeLink"]))")
      return
    }
    #expect(call.maps["flag"]?.to.keys.sorted() == ["off", "on"])
    #expect(provisioning.cleanUp != nil)
    #expect(provisioning.logins.keys.sorted() == ["apiKey"])
  }

  @Test(arguments: [
    (
      "map: { flag: { of: \"${state}\", to: { \"onn\": true, \"off\": false } } }",
      "expected a word of ${state}: on, off, found 'onn'"
    ),
    (
      "map: { flag: { of: \"${state}\", to: { \"on\": true } } }",
      "expected each word of ${state}: on, off, found none for off"
    ),
    ("map: { flag: { of: \"${stat}\", to: { \"on\": true } } }", "${stat}"),
    ("map: { flag: { of: \"${answer.body.x}\", to: { \"on\": true } } }", "found ${flag}"),
  ])
  func rejectsMapThatCannotBeFilled(_ map: String, _ says: String) {
    let error = #expect(throws: CatalogueError.self) {
      try read(
        "url: http://h\nhooks:\n  makeLink:\n    \(map)\n    http: { path: /l, body: { active: \"${flag}\" } }\n")
    }
    #expect(String(describing: error).contains(says), "\(String(describing: error))")
  }

  @Test func rejectsValueThatIsGivenAndLoggedInFor() {
    let error = #expect(throws: CatalogueError.self) {
      try read(
        """
        url: http://h
        values: { apiKey: k3y-0123 }
        logins: { apiKey: { http: { path: /l }, result: "${answer.text}" } }
        """)
    }
    #expect(String(describing: error).contains("'apiKey' in 'values' or in 'logins', not in both"))
  }
}
