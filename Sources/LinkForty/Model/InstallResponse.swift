import ConformanceModel
import JSONKit

/// What a server answers to an install: the id it gave, and the link behind the install if it found one.
///
/// Source: "Models Reference", InstallResponse. The score goes from 0 to 100; the vocabulary of factors is open.
package struct InstallResponse: OpenModel {
  /// The members of the model.
  static let names = ["installId", "attributed", "confidenceScore", "matchedFactors", "deepLinkData"]

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

  /// An install that no click led to.
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
  var attributed: Bool { members["attributed"] == true }

  /// nil for an organic install, which servers spell as `null`, as `{}` or by leaving the member out.
  package var deepLinkData: DeepLinkData? {
    get { self[object: "deepLinkData"].flatMap { $0 == [:] ? nil : DeepLinkData($0) } }
    set { members["deepLinkData"] = newValue?.representation }
  }
}

extension InstallResponse {
  /// The answer as a server of the dialect spells it: an organic install has `{}` in Core 1.21 and else `null`; a link
  /// has legacy names in Core 1.21, canonical ones in `spec`, and both in what came later.
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

  /// The link in canonical names, with those of the legacy names that differ after them.
  private func repeated(_ link: DeepLinkData) -> JSON.Object {
    var members = link.members
    members["isDeferred"] = true
    for member in link.legacyMembers(of: self).members where members[member.key] == nil {
      members[member.key] = member.value
    }
    return members
  }
}
