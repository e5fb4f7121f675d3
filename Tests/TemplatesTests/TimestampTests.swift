import ConformanceModel
import JSONKit
import RandomValues
import Templates
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("1969-12-31T23:59:59.999Z", -1),
    ("2000-02-29T12:00:00Z", 951_825_600_000), ("2026-03-12T08:00:00+02:00", 1_773_295_200_000),
    ("2026-03-12T08:00:00-05:30", 1_773_322_200_000), ("2026-03-12t08:00:00z", 1_773_302_400_000),
    ("2026-03-12T08:00:00.123456789Z", 1_773_302_400_123), ("2026-03-12T08:00:00.1Z", 1_773_302_400_100),
    ("1600-01-01T00:00:00Z", -11_676_096_000_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
  ])
  func instantsAreRead(text: String, milliseconds: Int) {
    #expect(Timestamp(text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "2026-03-12", "2026-03-12T08:00:00", "2026-03-12 08:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
    "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00+2:00", "2026-01-01T00:00:00+0200", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60",
    "2026-01-01T00:00:00+-5:00", "2026-01-01T00:00:00++5:00", "2026-01-01T00:00:00ZZ", "2026-01-01T00:00:00,5Z",
    "26-01-01T00:00:00Z", "+026-01-01T00:00:00Z", "2026-01-01T00:00:0٣Z", "1767225600000", "2026-W01-1T00:00:00Z",
  ])
  func otherTextsAreNone(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test(arguments: [
    ("2026-03-01T00:00Z", "2026-03-01T00:00:00Z"), ("20260301T000000.000Z", "2026-03-01T00:00:00Z"),
    ("2026-03-01T00:00:00,250Z", "2026-03-01T00:00:00.250Z"), ("2026-03-01T02:00+02", "2026-03-01T00:00:00Z"),
    ("20260301T0200+0200", "2026-03-01T00:00:00Z"), ("2026-03-01T00,5Z", "2026-03-01T00:30:00Z"),
    ("2026-02-28T24:00Z", "2026-03-01T00:00:00Z"), ("2026-03-01T00:00:00.001Z", "2026-03-01T00:00:00.001Z"),
    ("2026-03-01T01:30:15.5-05:30", "2026-03-01T07:00:15.500Z"),
  ])
  func everyFormOfISO8601IsTheSameInstant(text: String, plain: String) {
    #expect(Timestamp(iso8601: text)?.milliseconds == Timestamp(plain)?.milliseconds)
    #expect(JSON.string(text).isSameInstant(as: .string(plain)))
  }

  @Test(arguments: [
    "", "2026-03-01", "2026-03-01T", "2026-03-01T00:00", "2026-0301T00:00Z", "2026-02-29T00:00Z", "2026-03-01T25Z",
    "2026-03-01T00:60Z", "2026-03-01T24:01Z", "2026-03-01T00:Z", "2026-03-01T00:00:Z", "2026-03-01T00:00.Z",
    "2026-03-01T00:00+2", "2026-03-01T00:00+02:", "2026-03-01T00:00Zx", "2026-03-01 00:00Z", "1767225600000",
  ])
  func noOtherTextIsAnInstantOfISO8601(text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }

  @Test(arguments: 0..<200)
  func everyInstantSurvivesItsText(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let instant = Timestamp(milliseconds: random.count(-60_000_000_000_000...250_000_000_000_000))
    #expect(Timestamp(instant.text) == instant)
    #expect(instant.text.count == 24)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00.000Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
    ("1969-12-31T23:59:59.999Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
    ("1994-11-06T08:49:37.000Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
    ("2024-02-29T12:00:00.500Z", "Thu, 29 Feb 2024 12:00:00 GMT"),
    ("2026-12-31T23:00:00.000Z", "Thu, 31 Dec 2026 23:00:00 GMT"),
  ])
  func anInstantIsWrittenAsFieldsOfHTTPWriteIt(text: String, date: String) throws {
    #expect(try #require(Timestamp(text)).httpDate == date)
  }
}
