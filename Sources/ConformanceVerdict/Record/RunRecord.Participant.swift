import ConformanceModel
import ConformanceTranscript
import JSONKit

extension RunRecord {
  /// A subject and the role that it plays.
  package struct Participant: Hashable, Sendable {
    package var role: Role
    package var subject: Subject
    /// Whether the adapter of the subject calls its SDK. Nil for a subject without an adapter, and for an adapter of
    /// the kit itself.
    package var driving: Driving?
    /// The package and the files of the SDK, as its adapter names them.
    package var build: SubjectBuild

    package init(
      role: Role, subject: Subject, driving: Driving? = nil, build: SubjectBuild = SubjectBuild()
    ) {
      self.role = role
      self.subject = subject
      self.driving = driving
      self.build = build
    }

    /// The subject for people: `acme 1.2 (kotlin, android), pkg:maven/io.acme/links@1.2, 14 files, not shown to drive
    /// the SDK`.
    package var text: String {
      let about = [subject.language, subject.platform].compactMap(\.self).joined(separator: ", ")
      let name = "\(subject.name) \(subject.version)" + (about.isEmpty ? "" : " (\(about))")
      let files = build.files.isEmpty ? nil : "file".counted(build.files.count)
      return [name, build.packageURL, files, driving?.text].compactMap(\.self).joined(separator: ", ")
    }
  }
}

extension RunRecord.Participant: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("role", role.rawValue)
    subject.encodeMembers(into: &members)
    members.add("driving", driving)
    build.encodeMembers(into: &members)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    role = Role(try field.required("role").string())
    subject = try Subject(field)
    driving = try field.decodeIfPresent("driving")
    build = try SubjectBuild(field)
  }
}
