import ConformanceModel
import JSONKit
import TextKit

/// A static site about run records: parity matrices, a page for each subject, a page for each requirement, the same
/// data as JSON, and badges. The site needs no server and no network.
package struct Site {
  /// One file, with its path in the folder of the site.
  package struct File: Hashable, Sendable {
    package var path: String
    package var text: String
  }

  let catalogue: Catalogue
  let gate: Gate
  let subjects: [SiteSubject]
  /// A matrix for each role that has subjects.
  let matrices: [ParityMatrix]
  /// The results of each subject, in the order of ``subjects``.
  let results: [[SiteResult]]
  /// Maps each requirement to the cases that have claims about it.
  let cases: [RequirementID: [Case]]

  /// - Parameter earlier: records of earlier packs. The pages of subjects list them as runs.
  /// - Throws: ``ParityMatrix/Disagreement``.
  package init(
    of sources: [ParityMatrix.Source], earlier: [ParityMatrix.Source] = [], catalogue: Catalogue, gate: Gate = .stated
  ) throws(ParityMatrix.Disagreement) {
    self.catalogue = catalogue
    self.gate = gate
    let roles = catalogue.definition.roleNames
    let subjects = SiteSubject.all(of: sources, earlier: earlier, roles: roles)
    self.subjects = subjects
    var matrices: [ParityMatrix] = []
    for role in roles {
      let columns = subjects.filter { $0.role == role }
      if columns.isEmpty { continue }
      // The number distinguishes two columns whose titles are equal.
      let parts = columns.enumerated().map { ParityMatrix.Source($1.current, label: "\($0)") }
      var matrix = try ParityMatrix(of: parts, catalogue: catalogue, role: role, gate: gate)
      matrix.subjects = columns.map(\.title)
      matrices.append(matrix)
    }
    self.matrices = matrices
    results = subjects.map(SiteResult.all)
    cases = catalogue.cases.reduce(into: [:]) { cases, one in
      for id in Set(one.scenarios.flatMap(\.claims).map(\.requirement)) { cases[id, default: []].append(one) }
    }
  }

  /// True if the site has no subjects to show.
  package var isEmpty: Bool { subjects.isEmpty }

  /// The numbers of subjects and of requirements with a page, such as `2 subjects, 414 requirements`.
  package var extent: String {
    "\("subject".counted(subjects.count)), \("requirement".counted(requirements.count))"
  }

  /// The badge of each subject, with the role of the subject.
  package var badges: [(role: Role, badge: SiteBadge)] {
    subjects.indices.map { (subjects[$0].role, SiteBadge(of: $0, in: self)) }
  }

  /// The requirements for the roles of the site's subjects, sorted by id.
  var requirements: [Requirement] {
    let roles = Set(subjects.map(\.role))
    return catalogue.requirements.filter { roles.contains($0.role) && $0.withdrawn == nil }.sorted { $0.id < $1.id }
  }

  /// The number of mandatory requirements that a subject keeps, and the number of mandatory requirements that bind the
  /// subject. Both are sums over the dialects and features of the subject's matrix.
  func figures(of subject: Int) -> (held: Int, required: Int) {
    let cells = matrixParts(of: subject).flatMap { part in part.rows.map(\.1) }
    return (cells.reduce(0) { $0 + $1.held }, cells.reduce(0) { $0 + $1.required })
  }

  /// The cells of a subject's column, by dialect and feature.
  func matrixParts(
    of subject: Int
  ) -> [(dialect: Dialect, rows: [(ProtocolDefinition.Feature, ParityMatrix.Cell)])] {
    let own = subjects[subject]
    guard let matrix = matrices.first(where: { $0.role == own.role }),
      let column = subjects.filter({ $0.role == own.role }).firstIndex(where: { $0.slug == own.slug })
    else { return [] }
    return matrix.parts.map { part in
      (part.dialect, part.rows.map { ($0.feature, $0.cells[column]) })
    }
  }

  /// All files of the site. The same records result in the same bytes.
  ///
  /// - Parameter hasCertificates: whether the folder also contains the list of a registry, `certificates.html`.
  package func files(hasCertificates: Bool = false) throws -> [File] {
    let pages = SitePages(self, hasCertificates: hasCertificates)
    let data = SiteData(self)
    let templates = try MarkupTemplates([
      "index": PackageResources.site_index_mustache, "subject": PackageResources.site_subject_mustache,
      "requirement": PackageResources.site_requirement_mustache, "head": PackageResources.site_head_mustache,
    ])
    var files = [
      File(path: "index.html", text: try templates.render(pages.index, with: "index")),
      File(path: "index.json", text: data.index.prettyText + "\n"),
    ]
    for (index, subject) in subjects.enumerated() {
      let badge = SiteBadge(of: index, in: self)
      files += [
        File(
          path: "subjects/\(subject.slug).html", text: try templates.render(pages.subject(index), with: "subject")),
        File(path: "subjects/\(subject.slug).json", text: data.subject(index).prettyText + "\n"),
        File(path: "badges/\(subject.slug).svg", text: try badge.svg()),
        File(path: "badges/\(subject.slug).json", text: badge.shields.prettyText + "\n"),
      ]
    }
    for requirement in requirements {
      let name = MarkupTemplates.anchor(requirement.id.rawValue)
      files += [
        File(
          path: "requirements/\(name).html",
          text: try templates.render(pages.requirement(requirement), with: "requirement")),
        File(path: "requirements/\(name).json", text: data.requirement(requirement).prettyText + "\n"),
      ]
    }
    return files
  }
}
