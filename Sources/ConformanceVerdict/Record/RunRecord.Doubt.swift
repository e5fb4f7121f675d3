import ConformanceModel
import JSONKit

extension RunRecord {
  /// A case that failed, perhaps only because the machine was too busy. The kit tries it again, and the record contains
  /// its new result later.
  package struct Doubt: Hashable, Sendable {
    package var instance: CaseInstance
    /// A sentence about the resource that was missing, such as processor time.
    package var reason: String

    package init(instance: CaseInstance, reason: String) {
      self.instance = instance
      self.reason = reason
    }
  }
}

extension RunRecord.Doubt: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("instance", instance)
    members.add("reason", reason)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    instance = try field.decode("instance")
    reason = try field.required("reason").string()
  }
}
