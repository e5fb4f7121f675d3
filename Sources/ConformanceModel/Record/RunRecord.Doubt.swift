import JSONKit

extension RunRecord {
  /// A case that may have gone wrong for want of the machine alone and is tried again: what it comes to follows later.
  package struct Doubt: Hashable, Sendable {
    package var instance: CaseInstance
    /// What the machine did not do.
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
