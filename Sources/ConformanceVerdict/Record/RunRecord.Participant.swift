import ConformanceModel
import ConformanceTranscript
import JSONKit

extension RunRecord {
  /// A subject and the role that it plays.
  package struct Participant: Hashable, Sendable {
    package var role: Role
    package var subject: Subject

    package init(role: Role, subject: Subject) {
      self.role = role
      self.subject = subject
    }
  }
}

extension RunRecord.Participant: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("role", role.rawValue)
    subject.encodeMembers(into: &members)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    role = Role(try field.required("role").string())
    subject = try Subject(field)
  }
}
