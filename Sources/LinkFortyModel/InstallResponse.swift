import JSONKit

/// The answer of a server to an install: the new id, and the link that led to the install if the server found one.
///
/// Source: "Models Reference", InstallResponse. The score ranges from 0 to 100. `matchedFactors` may contain names that
/// the specification does not list.
package struct InstallResponse: OpenModel {
  /// The member names of InstallResponse.
  package static let names = ["installId", "attributed", "confidenceScore", "matchedFactors", "deepLinkData"]

  package var members: JSON.Object

  package init(_ members: JSON.Object) { self.members = members }

  package init(
    installId: String, attributed: Bool, confidenceScore: Int, matchedFactors: [String],
    deepLinkData: DeepLinkData? = nil
  ) {
    members = [
      "installId": .string(installId), "attributed": .bool(attributed), "confidenceScore": .int(confidenceScore),
      "matchedFactors": .strings(matchedFactors),
    ]
    self.deepLinkData = deepLinkData
  }

  /// The answer to an organic install, to which no click led.
  package static func organic(installId: String) -> InstallResponse {
    InstallResponse(installId: installId, attributed: false, confidenceScore: 0, matchedFactors: [])
  }

  package static func check(_ field: JSONField) throws(JSONField.Problem) {
    try field.needText("installId")
    _ = try field.required("attributed").bool()
    let score = try field.required("confidenceScore")
    if score.value.number == nil { throw score.problem(expected: "a number") }
    _ = try field.required("matchedFactors").strings()
    if let data = field.optional("deepLinkData"), data.value != [:] { _ = try DeepLinkData(data) }
  }

  package var installId: String { self[text: "installId"] ?? "" }
  package var attributed: Bool { members["attributed"] == true }

  /// The link. It is nil for an organic install; servers then send `null` or `{}`, or leave the member out.
  package var deepLinkData: DeepLinkData? {
    get { self[object: "deepLinkData"].flatMap { $0 == [:] ? nil : DeepLinkData($0) } }
    set { members["deepLinkData"] = newValue?.representation }
  }
}

extension InstallResponse {
  /// The answer as servers of a dialect send it. For an organic install, Core 1.21 sends `{}` as the link, and the
  /// other dialects send `null`. For an attributed install, Core 1.21 uses the link's legacy names, `spec` uses its
  /// canonical names, and the other dialects use both.
  package func representation(in dialect: ServerDialect) -> JSON {
    var answer = members
    answer["deepLinkData"] =
      switch dialect {
      case .spec: deepLinkData?.representation ?? .null
      case .core121: .object(deepLinkData?.legacyMembers(of: self) ?? [:])
      case .coreNext, .cloud: deepLinkData.map { .object(repeated($0)) } ?? .null
      }
    return .object(answer)
  }

  /// The link with its canonical names and `isDeferred`, and with each legacy name that is not also a canonical name.
  private func repeated(_ link: DeepLinkData) -> JSON.Object {
    var members = link.members
    members["isDeferred"] = true
    for member in link.legacyMembers(of: self).members where members[member.key] == nil {
      members[member.key] = member.value
    }
    return members
  }
}
