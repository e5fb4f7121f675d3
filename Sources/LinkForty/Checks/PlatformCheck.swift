import ConformanceModel
import ConformancePack
import ConformanceVerdict
import JSONKit

extension LinkFortyChecks {
  static let platformAsDeclared = Check(
    text: "The member `platform` of install requests is the platform that the adapter declares, in any case of letters."
  ) { evidence, _ in
    let declared = evidence.transcript.header.subjects.values.lazy.compactMap(\.platform).first
    let requests = evidence.observations(Selector(.request(exchange: "install")))
    guard !requests.isEmpty else {
      return [Finding(subject: "install requests", expected: "at least one", observed: "none")]
    }
    return requests.compactMap { request in
      let found = request.view["body"]?["platform"]?.string
      if let found, let declared, found.equalsIgnoringCase(declared) { return nil }
      return Finding(
        subject: "install request", path: JSONPath([.key("body"), .key("platform")]),
        expected: declared.map { "'\($0)' in any case of letters" } ?? "a platform that the adapter declares",
        observed: found.map { "'\($0)'" } ?? "nothing", entries: [request.entry])
    }
  }
}
