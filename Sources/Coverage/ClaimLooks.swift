import ConformanceModel
import ConformanceSpec
import JSONKit
import Templates

/// The observations that a claim reads: their kind, the paths in them, and the step after which they were made.
struct ClaimLook {
  /// How much of a value a claim reads.
  enum Depth {
    /// Only a property of the value, such as its kind, its length or its existence.
    case member
    /// The whole value, with all its members.
    case whole
    /// Nothing: the claim expects that the value is absent.
    case gone
  }

  /// A path in an observation, and how much the claim reads of the value at this path.
  struct Place {
    var path: MemberPath
    var depth: Depth
  }

  var kind: CoverageNotes.Passage.Kind
  /// The name of the exchange or command; `any` for all names.
  var name: String
  var places: [Place]
  /// The index of the step after which the observation was made.
  var position: Int
  /// Whether the claim compares several values with each other.
  var comparesValues = false

  /// Whether the claim reads the member at this path. With `includingGone`, a claim which expects that a value is
  /// absent also reads all members of this value.
  func sees(_ member: MemberPath, includingGone: Bool) -> Bool {
    places.contains { place in
      if member.leads(to: place.path) { return true }
      guard place.path.leads(to: member) else { return false }
      return place.depth == .whole || place.depth == .gone && includingGone
    }
  }
}

extension ScenarioTimeline {
  /// The observations that an assertion reads.
  func looks(of assertion: Claim.Assertion) -> [ClaimLook] {
    switch assertion {
    case .matches(let selector, let which, let template): looks(at: selector, which, template.places)
    case .calledBack(let selector, _, let template): looks(at: selector, .each, template?.places ?? [])
    case .golden(let selector): looks(at: selector, .each, [.init(path: MemberPath(), depth: .whole)])
    case .series(let selector, let path, _):
      looks(at: selector, .each, [.init(path: MemberPath(path), depth: .whole)]).map(\.comparing)
    case .latest(let selector, let path, let source, let from):
      (looks(at: selector, .each, [.init(path: MemberPath(path), depth: .whole)])
        + looks(at: source, .each, [.init(path: MemberPath(from), depth: .whole)])).map(\.comparing)
    case .equal(let references): references.flatMap(looks)
    case .returns(let outcomes): outcomes.flatMap { looks(atOutcome: $0.label, $0.template.places) }
    case .anyOf(let assertions): assertions.flatMap(looks)
    case .check(_, let with): looks(ofCheck: with)
    case .count(let selector, _), .never(let selector), .gaps(let selector, _), .atOnce(let selector, _):
      looks(at: selector, .each, [])
    case .gap(let from, let to, _): looks(at: from, .first, []) + looks(at: to, .first, [])
    case .order(let selectors): selectors.flatMap { looks(at: $0, .first, []) }
    case .survives: []
    }
  }

  private func looks(of reference: Claim.Reference) -> [ClaimLook] {
    let places = [ClaimLook.Place(path: MemberPath(reference.path), depth: .whole)]
    return switch reference.origin {
    case .observed(let selector): looks(at: selector, .first, places)
    case .returned(let label): looks(atOutcome: label, places)
    }
  }

  /// The observations of a selector. An assertion also reads the members that are named in the selector's filter.
  private func looks(
    at selector: Selector, _ which: Claim.Which, _ places: [ClaimLook.Place]
  ) -> [ClaimLook] {
    let prefix = selector.items.map { MemberPath($0).appending(MemberPath.element) } ?? MemberPath()
    let all = (places + (selector.filter?.places ?? [])).map {
      ClaimLook.Place(path: prefix + $0.path, depth: $0.depth)
    }
    guard !all.isEmpty else { return [] }
    let position = position(of: selector, which)
    func look(_ kind: CoverageNotes.Passage.Kind, _ name: String) -> [ClaimLook] {
      [ClaimLook(kind: kind, name: name, places: all, position: position)]
    }
    switch selector.subject {
    case .request(let exchange): return look(.request, exchange)
    case .response(let exchange): return look(.answer, exchange)
    case .callback(let handle):
      let command = registration(of: handle).flatMap { scenario.steps[$0].step.action.calledCommand }
      return command.map { look(.callback, $0) } ?? []
    case .reply(let label): return looks(atOutcome: label, all)
    case .step, .closed: return []
    }
  }

  private func looks(atOutcome label: String, _ places: [ClaimLook.Place]) -> [ClaimLook] {
    guard let index = index(of: label) else { return [] }
    switch scenario.steps[index].step.action {
    case .call(let call): return [ClaimLook(kind: .result, name: call.command, places: places, position: index)]
    case .send(let send): return [ClaimLook(kind: .answer, name: send.exchange, places: places, position: index)]
    case .await(let wait):
      guard case .observed(let selector) = wait.target else { return [] }
      return looks(at: selector, .first, places)
    default: return []
    }
  }

  /// The observations that a check reads. Its `with` contains the exchange, callback or outcome, and the path.
  private func looks(ofCheck with: JSON) -> [ClaimLook] {
    let texts =
      with.object?.members.flatMap { $0.value.string.map { [$0] } ?? $0.value.array?.compactMap(\.string) ?? [] } ?? []
    let places = texts.compactMap { $0.hasPrefix("$") ? JSONPath($0) : nil }.map {
      ClaimLook.Place(path: MemberPath($0), depth: .whole)
    }
    guard !places.isEmpty else { return [] }
    return texts.filter { !$0.hasPrefix("$") }.flatMap { word in
      looks(at: Selector(.request(exchange: word)), .each, places)
        + looks(at: Selector(.response(exchange: word)), .each, places)
        + looks(at: Selector(.callback(handle: word)), .each, places) + looks(atOutcome: word, places)
    }
  }
}

extension ClaimLook {
  fileprivate var comparing: ClaimLook {
    var look = self
    look.comparesValues = true
    return look
  }
}

extension Template {
  /// The paths for which the template contains a value or a constraint.
  var places: [ClaimLook.Place] { node.places(at: MemberPath()) }
}

extension Template.Node {
  fileprivate func places(at path: MemberPath) -> [ClaimLook.Place] {
    switch self {
    case .literal(let value): value.places(at: path)
    case .hole(let hole): [.init(path: path, depth: hole.isWhole ? .whole : .member)]
    case .text: [.init(path: path, depth: .member)]
    case .array(let nodes): nodes.flatMap { $0.places(at: path.appending(MemberPath.element)) }
    case .object(let members): members.flatMap { $0.value.places(at: path.appending($0.key)) }
    case .constraints(let constraints): constraints.flatMap { $0.places(at: path) }
    }
  }
}

extension Template.Hole {
  /// True if the hole compares the whole value with another value or with a golden model; false if it only checks the
  /// kind of the value.
  fileprivate var isWhole: Bool {
    if case .model = kind { true } else { name != nil }
  }
}

extension Template.Constraint {
  fileprivate func places(at path: MemberPath) -> [ClaimLook.Place] {
    switch self {
    case .oneOf(let nodes), .allOf(let nodes): nodes.flatMap { $0.places(at: path) }
    case .every(let node), .some(let node): node.places(at: path.appending(MemberPath.element))
    case .only(let node): node.places(at: path)
    // A negated template reads its own places, but nothing below them.
    case .not(let node): node.places(at: path).map { .init(path: $0.path, depth: .member) }
    case .absent: [.init(path: path, depth: .gone)]
    case .atLeast, .atMost, .above, .below, .near, .status, .like, .length: [.init(path: path, depth: .member)]
    case .fails, .succeeds: []
    }
  }
}

extension JSON {
  fileprivate func places(at path: MemberPath) -> [ClaimLook.Place] {
    switch self {
    case .null: [.init(path: path, depth: .gone)]
    case .object(let object) where !object.members.isEmpty:
      object.members.flatMap { $0.value.places(at: path.appending($0.key)) }
    case .array(let elements) where !elements.isEmpty:
      elements.flatMap { $0.places(at: path.appending(MemberPath.element)) }
    default: [.init(path: path, depth: .whole)]
    }
  }
}
