import JSONKit
import Templates

extension Defect {
  /// A mutation of the messages of a conforming subject. With it, the kit makes a defect without changing the subject.
  package struct Bend: Hashable, Sendable {
    /// The kind of message that the kit changes.
    package enum Subject: String, CaseIterable, Sendable {
      /// A request that the subject sends to a mock.
      case request
      /// A response of the subject to a request of the kit.
      case answer
      /// A reply of the subject's adapter to a command.
      case reply
      /// A call of a callback. `name` is the command that registered the callback.
      case callback
    }

    /// The change of the message.
    package enum Change: Hashable, Sendable {
      case remove(JSONPath)
      case set([Replacement])
      case rename([Renaming])
      case retype(JSONPath)
      /// The message is sent twice.
      case `repeat`
      /// The message is never sent.
      case lose
      /// The message is sent later by this time.
      case delay(LogicalTime)
      /// The message with this number among its kind in a case, from 1, is swapped with the next one.
      case reorder(Int)
      /// The text `with` replaces the first match of the pattern `find`. `$1` in the text is the match's first group.
      case rewrite(find: String, with: String)
    }

    /// A path and its new value.
    package struct Replacement: Hashable, Sendable {
      package var path: JSONPath
      package var value: JSON

      package init(path: JSONPath, value: JSON) {
        self.path = path
        self.value = value
      }
    }

    /// The path of a member, and the new name of the member.
    package struct Renaming: Hashable, Sendable {
      package var path: JSONPath
      package var name: String

      package init(path: JSONPath, name: String) {
        self.path = path
        self.name = name
      }
    }

    package var subject: Subject
    /// The name of the exchange or the command; nil for any exchange or command.
    package var name: String?
    /// The template that a message must match; nil to change every message.
    package var filter: Template?
    /// For a message that answers a request: the template that the request must match; nil if any request does.
    package var asked: Template?
    package var change: Change

    package init(
      _ subject: Subject, of name: String? = nil, filter: Template? = nil, asked: Template? = nil, _ change: Change
    ) {
      self.subject = subject
      self.name = name
      self.filter = filter
      self.asked = asked
      self.change = change
    }

    /// Whether a proxy can apply the mutation to messages that it passes on. A proxy can change members of a message,
    /// or repeat a message.
    package var canBeRelayed: Bool {
      switch change {
      case .lose, .delay, .reorder, .rewrite: false
      case .remove, .set, .rename, .retype, .repeat: true
      }
    }

    /// Whether the mutation changes when a message is sent, and not its content.
    package var isAboutTime: Bool {
      switch change {
      case .delay, .reorder: true
      default: false
      }
    }
  }
}
