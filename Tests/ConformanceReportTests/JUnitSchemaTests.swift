import Testing

@testable import ConformanceReport

/// The dialect's schema refuses what readers trip over: each change of a valid document makes it invalid.
@Suite struct JUnitSchemaTests {
  @Test(arguments: [
    // Two results in one test case, or the output before the result.
    ("<skipped>", "<failure message=\"m\" type=\"conformance.violation\">m</failure><skipped>"),
    ("</failure>", "</failure><failure message=\"m\" type=\"conformance.violation\">m</failure>"),
    ("<skipped>", "<system-out>early</system-out><skipped>"),
    // Some schema in use forbids each of these.
    ("<skipped>", "<skipped message=\"m\">"),
    ("<testcase name", "<testcase file=\"f\" name"),
    ("<testsuite name", "<testsuite hostname=\"h\" name"),
    ("<testsuites name", "<testsuites skipped=\"1\" name"),
    ("</testcase>", "<properties/></testcase>"),
    // Times that not every reader takes.
    ("time=\"0.241\"", "time=\"0.2411\""),
    ("time=\"0.241\"", "time=\"1,000.241\""),
    ("time=\"0.241\"", "time=\"2e-1\""),
    ("T10:00:00\"", "T10:00:00Z\""),
    ("T10:00:00\"", "T10:00:00.250\""),
    // Each of these changes the identity of a case.
    ("PA-POST-003 post.first", "PA-POST-001 post.first"),
    ("<testsuite name=\"parcel.sdk.queue\"", "<testsuite name=\"parcel.sdk.post\""),
    (" classname=\"parcel.sdk.post\"", ""),
    ("classname=\"parcel.sdk.post\"", "classname=\"post\""),
    ("name=\"PA-POST-001 post.first @spec\" ", ""),
    // Words that a reader may take for a type.
    ("type=\"conformance.violation\"", "type=\"yaml\""),
    (" type=\"conformance.violation\"", ""),
    // Texts that readers show.
    ("<skipped>not applicable: the capability 'ears' is not declared</skipped>", "<skipped/>"),
    ("tests=\"3\"", "tests=\"many\""),
    (" failures=\"1\"", ""),
  ])
  func whatReadersTripOverIsRefused(old: String, new: String) throws {
    let golden = JUnitReportTests.golden
    try #require(golden.contains(old))
    let schema = try JUnitReport.schema()
    #expect(schema.problems(in: Array(golden.utf8)).isEmpty)
    #expect(!schema.problems(in: Array(golden.replacing(old, with: new).utf8)).isEmpty)
  }
}
