import ConformanceModel
import ConformanceSpec
import JSONKit
import Templates

/// The number of claims that read each member of the golden models, in each kind of message and in each phase of the
/// app.
package struct MemberFlow {
  /// A kind of message in which a member occurs, or a phase of the app.
  package enum Place: String, CaseIterable, Sendable {
    case request, answer, result, callback, launch, clear, reset, second

    /// The heading of the column in the table.
    var heading: String {
      switch self {
      case .callback: "called"
      case .second: "2nd"
      default: rawValue
      }
    }

    var text: String {
      switch self {
      case .request: "in a request of the subject"
      case .answer: "in an answer of the subject"
      case .result: "in the result of a command"
      case .callback: "handed to a callback"
      case .launch: "in a later launch on the same storage"
      case .clear: "after what is stored was wiped"
      case .reset: "after the subject was reset"
      case .second: "with a second value, after the first"
      }
    }

    /// The same kind of message as a kind of passage in `coverage.yaml`; nil if the place is a phase.
    fileprivate var kind: CoverageNotes.Passage.Kind? { .init(rawValue: rawValue) }
  }

  /// A member and the places where it occurs.
  private struct Member {
    var model: String
    var path: MemberPath
    var passages: [CoverageNotes.Passage] = []
  }

  /// The table with the reasons of `coverage.yaml`.
  package let grid: CoverageGrid
  /// The table without these reasons.
  package let bare: CoverageGrid

  package init(_ sources: CatalogueSources) {
    self.init(sources, scenarios: sources.scenarioSites)
  }

  package init(_ sources: CatalogueSources, scenarios: [ScenarioSite]) {
    let definition = sources.definition.value
    let members = Self.members(of: sources)
    var seen: [String: Set<String>] = [:]
    for site in scenarios {
      let timeline = ScenarioTimeline(site, moments: definition.moments)
      for assertion in site.assertions where assertion.isClaim {
        let claim = "\(site.located.document.file) \(assertion.path)"
        for look in timeline.looks(of: assertion.assertion) {
          for member in members {
            for place in Self.places(in: look, of: member, timeline) {
              seen["\(member.model).\(member.path) \(place.rawValue)", default: []].insert(claim)
            }
          }
        }
      }
    }
    let rows = members.map { member in
      let cells = Place.allCases.map { place -> CoverageGrid.Cell? in
        guard Self.exists(place, of: member, definition, sources) else { return nil }
        return .init(count: seen["\(member.model).\(member.path) \(place.rawValue)"]?.count ?? 0, reason: nil)
      }
      return CoverageGrid.Row(group: member.model + ".", name: member.path.description, cells: cells)
    }
    let columns = Place.allCases.map { CoverageGrid.Column(name: $0.rawValue, heading: $0.heading, text: $0.text) }
    bare = CoverageGrid(columns: columns, rows: rows, unit: "claims")
    grid = bare.explained(by: sources.coverage.flow.map(\.value))
  }

  /// The places at which a claim reads a member.
  private static func places(in look: ClaimLook, of member: Member, _ timeline: ScenarioTimeline) -> Set<Place> {
    let passages = member.passages.filter {
      $0.kind == look.kind && ($0.name == look.name || $0.name == Selector.any || look.name == Selector.any)
    }
    func isAfter(_ indices: [Int]) -> Bool { indices.contains { $0 <= look.position } }
    let sees = passages.contains { look.sees($0.path, includingGone: false) }
    let seesGone = sees || passages.contains { look.sees($0.path, includingGone: true) }
    var places: Set<Place> = []
    if sees, let place = Place(rawValue: look.kind.rawValue) { places.insert(place) }
    if sees, isAfter(timeline.launches) { places.insert(.launch) }
    if seesGone, isAfter(timeline.clears) { places.insert(.clear) }
    if seesGone, isAfter(timeline.resets) { places.insert(.reset) }
    if sees, look.comparesValues || isAfter(timeline.seconds.map(\.index)) { places.insert(.second) }
    return places
  }

  /// Whether the member can occur at this place: in this kind of message, or in this phase of the app.
  private static func exists(
    _ place: Place, of member: Member, _ definition: ProtocolDefinition, _ sources: CatalogueSources
  ) -> Bool {
    let offered = Set(definition.roles.flatMap(\.ports.downstream))
    let driven = member.passages.contains { $0.kind != .answer }
    switch place {
    case .request, .result, .callback: return member.passages.contains { $0.kind == place.kind }
    case .answer:
      return member.passages.contains { passage in
        passage.kind == .answer
          && (passage.name == Selector.any
            || sources.exchanges.contains { $0.value.name == passage.name && offered.contains($0.value.service) })
      }
    case .launch: return driven && !definition.drivenRoles.isEmpty
    case .clear: return driven && !definition.moments.clear.isEmpty
    case .reset: return driven && !definition.moments.reset.isEmpty
    case .second: return !member.passages.isEmpty
    }
  }
}

// MARK: Members and their passages

extension MemberFlow {
  /// Every member of every golden model, with all places where the member occurs directly or inside another model.
  private static func members(of sources: CatalogueSources) -> [Member] {
    let passages = passages(of: sources)
    return sources.models.flatMap { located in
      located.value.template.node.memberPaths.map { path in
        let own = passages.filter { $0.model == located.value.name }.compactMap { passage in
          guard let member = passage.member else {
            return passage.moved(to: passage.path + path)
          }
          return member.leads(to: path)
            ? passage.moved(to: passage.path + MemberPath(Array(path.steps.dropFirst(member.steps.count)))) : nil
        }
        return Member(model: located.value.name, path: path, passages: own)
      }
    }
  }

  /// The places where golden models occur: in exchanges, in the passages of `coverage.yaml`, and inside the models at
  /// these places.
  static func passages(of sources: CatalogueSources) -> [CoverageNotes.Passage] {
    var inside: [String: [Template.ModelHole]] = [:]
    for located in sources.models { inside[located.value.name] = located.value.template.node.modelHoles }
    var all: [CoverageNotes.Passage] = []
    var open = sources.coverage.passages.map(\.value) + sources.exchanges.flatMap { $0.value.passages }
    // The depth is limited, since a model that contains itself would never end.
    for _ in 0..<8 where !open.isEmpty {
      all += open
      open = open.filter { $0.member == nil }.flatMap { passage in
        (inside[passage.model] ?? []).map { hole in
          .init(
            model: hole.model, member: nil, kind: passage.kind, name: passage.name, path: passage.path + hole.path)
        }
      }
    }
    return all
  }
}

extension CoverageNotes.Passage {
  fileprivate func moved(to path: MemberPath) -> Self {
    var passage = self
    passage.path = path
    return passage
  }
}

extension Exchange {
  /// The places of golden models in the requests and answers of the exchange.
  fileprivate var passages: [CoverageNotes.Passage] {
    let body = MemberPath(["body"])
    let requests = self.requests.values.flatMap { $0.body?.node.modelHoles ?? [] }.map {
      ($0, CoverageNotes.Passage.Kind.request)
    }
    let answers = responses.values.flatMap(\.values).flatMap { response -> [Template.ModelHole] in
      if case .json(let template) = response.body { template.node.modelHoles } else { [] }
    }.map { ($0, CoverageNotes.Passage.Kind.answer) }
    return (requests + answers).map { hole, kind in
      .init(model: hole.model, member: nil, kind: kind, name: name, path: body + hole.path)
    }
  }
}

extension Template {
  /// A hole for a golden model, and its place.
  struct ModelHole: Hashable {
    var model: String
    var path: MemberPath
  }
}

extension Template.Node {
  /// The holes for golden models.
  fileprivate var modelHoles: [Template.ModelHole] {
    leafNodes(at: MemberPath()).compactMap { path, node in
      guard case .hole(let hole) = node, case .model(let name) = hole.kind else { return nil }
      return .init(model: name, path: path)
    }
  }

  /// The paths of the members of an object, and of objects inside it. Objects in lists are left out.
  fileprivate var memberPaths: [MemberPath] {
    let paths = leafNodes(at: MemberPath()).map(\.path).filter {
      !$0.steps.isEmpty && $0.steps[0] != MemberPath.element
    }
    return paths.reduce(into: []) { known, path in
      if !known.contains(path) { known.append(path) }
    }
  }

  /// The literals, texts and holes inside the node, with their paths.
  func leafNodes(at path: MemberPath) -> [(path: MemberPath, node: Template.Node)] {
    switch self {
    case .literal(.object(let object)):
      object.members.flatMap { Self.literal($0.value).leafNodes(at: path.appending($0.key)) }
    case .literal, .hole, .text: [(path, self)]
    case .array(let nodes): nodes.flatMap { $0.leafNodes(at: path.appending(MemberPath.element)) }
    case .object(let members): members.flatMap { $0.value.leafNodes(at: path.appending($0.key)) }
    case .constraints(let constraints):
      constraints.flatMap { constraint -> [(path: MemberPath, node: Template.Node)] in
        switch constraint {
        case .oneOf(let nodes), .allOf(let nodes): nodes.flatMap { $0.leafNodes(at: path) }
        case .every(let node), .some(let node): node.leafNodes(at: path.appending(MemberPath.element))
        case .only(let node): node.leafNodes(at: path)
        default: [(path, self)]
        }
      }
    }
  }
}

extension CatalogueSources {
  /// Every scenario of every case.
  var scenarioSites: [ScenarioSite] {
    cases.flatMap { located in located.value.scenarios.map { ScenarioSite($0, of: located) } }
  }
}

extension ScenarioSite.AssertionSite {
  /// Whether the assertion is a claim of the case itself, and not of a state or an assumption.
  fileprivate var isClaim: Bool { claim != nil && !isShared && path.steps.contains(.key("claims")) }
}
