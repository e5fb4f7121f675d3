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
      subject.sources.cases.flatMap { located -> [LintFinding] in
        let path = located.path.appending(key: "claims")
        let written = located.document.value[path]?.array ?? []
        return written.enumerated().compactMap { index, claim in
          guard let several = claim["requirement"]?.array, several.count > 1 else { return nil }
          return LintFinding(
            in: located.document, at: path.appending(index: index).appending(key: "requirement"),
            expected: "one requirement", found: "\(several.count)",
            hint: "make a claim for each, so that each says what it shows")
        }
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

  /// The first registration of a callback before the first set-up; nil if there is no such registration, or no set-up.
  private static func earlyRegistration(
    in site: ScenarioSite, _ definition: ProtocolDefinition
  ) -> (path: JSONPath, command: String)? {
    let callbacks = Set(definition.commands(of: site.role).filter { $0.callback != nil }.map(\.name))
    var first: (path: JSONPath, command: String)?
    for one in site.steps {
      guard case .call(let call) = one.step.action else { continue }
      if definition.moments.setUp.contains(call.command) { return first }
      if first == nil, callbacks.contains(call.command), !one.isTried, one.group == nil {
        first = (one.path, call.command)
      }
    }
    return nil
  }
}
