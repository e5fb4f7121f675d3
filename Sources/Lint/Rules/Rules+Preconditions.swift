import ConformanceModel
import ConformanceSpec
import Coverage
import JSONKit

extension Linter {
  /// Rules about set-up and preconditions: a case expects only what the document promises.
  static let preconditionRules = [
    LintRule("state-on-position", "A state rests on requirements of the documents, not on positions of the kit.") {
      subject in
      let positions = Set(subject.sources.requirements.map(\.value).filter { $0.basis == .position }.map(\.id))
      return subject.sources.states.flatMap { located in
        located.value.precondition.requirements.filter(positions.contains).map { id in
          located.finding(
            at: "requirement", expected: "requirements that a document states", found: "\(id), a position",
            hint: "make it an 'assumes:' of the cases: they do not apply where the position is not met")
        }
      }
    },
    LintRule(
      "early-callback",
      "A case registers callbacks after the set-up, unless it claims one of the 'early' requirements of the protocol."
    ) { subject in
      let moments = subject.definition.moments
      let early = Set(moments.early)
      // If the documents let an app register callbacks at any time, the protocol lists no `early` requirements.
      guard !early.isEmpty else { return [] }
      return subject.scenarios.compactMap { site in
        guard !site.scenario.claims.contains(where: { early.contains($0.requirement) }),
          let registration = earlyRegistration(in: site, subject.definition)
        else { return nil }
        return site.finding(
          at: registration.path,
          expected: "the callback to be registered after \(moments.setUp.joined(separator: ", "))",
          found: "'\(registration.command)' before it",
          hint: "the documents let an SDK refuse it; a case about that claims a requirement of 'moments.early'")
      }
    },
    LintRule(
      "needed-registration", "A call that registers a callback may fail: a case is about whether the callback comes."
    ) { subject in
      // Commands that do more than register a callback, such as a set-up that reports its outcome, are left out.
      let commands = subject.definition.commands.filter { command in
        command.callback != nil && command.params["properties"]?.object?.keys.elementsEqual(["handle"]) == true
      }.map(\.name)
      return subject.scenarios.flatMap { site in
        site.steps.compactMap { one in
          guard case .call(let call) = one.step.action, call.need != .either, commands.contains(call.command) else {
            return nil
          }
          return site.finding(
            at: one.path, expected: "'need: either' where a callback is registered",
            found: "'\(call.command)' without it",
            hint: "an SDK that reports an error and calls back all the same is judged by what it calls back")
        }
      }
    },
    LintRule("exact-witness", "A witness of an SDK's case demands no exact number of observations.") { subject in
      let driven = subject.definition.drivenRoles
      return subject.sources.cases.filter { driven.contains($0.value.role) }.flatMap { located -> [LintFinding] in
        let path = located.path.appending(key: "witness")
        let written = located.document.value[path]?.array ?? []
        return written.enumerated().compactMap { index, assertion in
          guard let exact = assertion["count"]?["is"]?.number?.int, exact > 0 else { return nil }
          return LintFinding(
            in: located.document, at: path.appending(index: index).appending(key: "count").appending(key: "is"),
            expected: "{ $at-least: \(exact) }", found: "\(exact)",
            hint: "an SDK that does it too often breaks another requirement, and this one can still be judged")
        }
      }
    },
    LintRule("claim-of-several", "A claim names one requirement.") { subject in
      // A row can provide the list of requirements. So the rule counts the claims after the rows are filled in, not the
      // claims in the text.
      subject.scenarios.flatMap { site in
        Dictionary(grouping: site.scenario.claims, by: \.index).filter { $0.value.count > 1 }.map { index, claims in
          let path = site.located.path.appending(key: "claims").appending(index: index)
          return site.finding(
            at: path.appending(key: "requirement"), expected: "one requirement", found: "\(claims.count)",
            hint: "make a claim for each, so that each says what it shows")
        }
      }
    },
    LintRule("wire-claim", "If all claims of an SDK's case are about requests, no call before them has to succeed.") {
      subject in
      let required = Set(subject.definition.capabilities.filter(\.isRequired).map(\.name))
      // Later requests depend on the state after these commands.
      let moments = subject.definition.moments
      let states = moments.setUp + moments.clear + moments.reset
      return subject.scenarios.flatMap { site -> [LintFinding] in
        guard subject.definition.drivenRoles.contains(site.role), site.scenario.claims.allSatisfy(\.isAboutRequests)
        else { return [] }
        return site.steps.compactMap { one in
          guard case .call(let call) = one.step.action, call.waits, call.need == .succeeds, !one.isShared,
            !states.contains(call.command),
            let command = subject.definition.command(call.command, of: site.role),
            command.capabilities.contains(where: required.contains)
          else { return nil }
          return site.finding(
            at: one.path, expected: "'need: either' where the claims are about requests",
            found: "'\(call.command)' without it",
            hint: "an SDK that reports an error and sends the request all the same is judged by the request")
        }
      }
    },
    LintRule(
      "set-up-answer", "Before it sets an SDK up, a case scripts each answer that all states of the protocol script."
    ) { subject in
      let usual = usualAnswers(subject)
      return subject.scenarios.compactMap { site in
        let ports = subject.definition.ports(of: site.role)
        guard ports.hasDriver, ports.downstream.isEmpty, let setUp = firstSetUp(in: site.steps, subject.definition),
          let missing = usual.subtracting(setUp.answered).min()
        else { return nil }
        return site.finding(
          at: setUp.path, expected: "a step 'answer: \(missing)' before the set-up, as in the states", found: "none",
          hint: "in some dialects, the server's own answer breaks SDKs that the case is not about")
      }
    },
    LintRule("early-requirement", "The requirements that 'moments.early' lists exist.") { subject in
      let located = subject.sources.definition
      let ids = subject.sources.requirements.map(\.value.id.rawValue)
      return located.value.moments.early.enumerated().compactMap { index, id in
        LintFinding(
          in: located.document, at: JSONPath([.key("moments"), .key("early"), .index(index)]), unknown: id.rawValue,
          "the id of a requirement", known: ids)
      }
    },
  ]

  /// The first registration of a callback that comes before a set-up of the same process; nil if every registration
  /// comes after the set-up, or if the case has no set-up.
  private static func earlyRegistration(
    in site: ScenarioSite, _ definition: ProtocolDefinition
  ) -> (path: JSONPath, command: String)? {
    let callbacks = Set(definition.commands(of: site.role).filter { $0.callback != nil }.map(\.name))
    let setUps = site.steps.filter { definition.setsUp($0.step) }
    var first: (path: JSONPath, command: String)?
    var isSetUp = false
    for one in site.steps {
      switch one.step.action {
      case .restart where !one.isTried: (first, isSetUp) = (nil, false)
      case .call where definition.setsUp(one.step):
        if first != nil { return first }
        isSetUp = true
      case .call(let call) where callbacks.contains(call.command) && !one.isTried && first == nil && !isSetUp:
        // In one group with the set-up, the registration can also come after the set-up.
        if one.group == nil || !setUps.contains(where: { $0.group == one.group }) { first = (one.path, call.command) }
      default: break
      }
    }
    return nil
  }

  /// The exchanges for which every state scripts an answer before it sets an SDK up. States without a set-up do not
  /// count.
  private static func usualAnswers(_ subject: LintSubject) -> Set<String> {
    let states = subject.sources.states.compactMap { located in
      firstSetUp(in: ScenarioSite.sites(of: located.value.precondition.steps, at: located.path), subject.definition)?
        .answered
    }
    return states.dropFirst().reduce(states.first ?? []) { $0.intersection($1) }
  }

  /// The first set-up outside an `attempt`, and the exchanges for which an answer is scripted before it. nil if the
  /// steps contain no set-up outside an `attempt`.
  private static func firstSetUp(
    in steps: [ScenarioSite.StepSite], _ definition: ProtocolDefinition
  ) -> (path: JSONPath, answered: Set<String>)? {
    var answered: Set<String> = []
    for one in steps {
      if case .answer(let answer) = one.step.action { answered.insert(answer.exchange) }
      if !one.isTried, definition.setsUp(one.step) { return (one.path, answered) }
    }
    return nil
  }
}

extension ProtocolDefinition {
  /// Whether the step sets the subject up.
  fileprivate func setsUp(_ step: Step) -> Bool {
    if case .call(let call) = step.action { moments.setUp.contains(call.command) } else { false }
  }
}

extension Claim {
  /// Whether the claim is about requests of the subject, and about no other observation.
  fileprivate var isAboutRequests: Bool {
    switch assertion {
    case .count(let selector, _), .never(let selector), .matches(let selector, _, _):
      if case .request = selector.subject { true } else { false }
    default: false
    }
  }
}
