import JSONKit
import Templates

extension Defect {
  /// A mutation of the messages of a conforming subject: a defect that needs no change of the subject.
  package struct Bend: Hashable, Sendable {
    /// The kind of message that is changed.
    package enum Subject: String, CaseIterable, Sendable {
      /// A request that it sends to a mock.
      case request
      /// Its response to a request of the kit.
      case answer
      /// The reply of its adapter to a command.
      case reply
      /// A call of a callback, by the command that registered it.
      case callback
    }

    /// How it is changed.
    package enum Change: Hashable, Sendable {
      case remove(JSONPath)
      case set([Replacement])
      case rename([Renaming])
      case retype(JSONPath)
      /// The message is sent twice.
      case `repeat`
      /// The message is never sent.
      case lose
      /// The message is sent so much later.
      case delay(LogicalTime)
      /// The message with this number in a case, counted from one, is swapped with the next of its kind.
      case reorder(Int)
      /// In the bytes of the message, the first match of a pattern is replaced by a text, in which `$1` is its first group.
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

    /// A path and the new name of its member.
    package struct Renaming: Hashable, Sendable {
      package var path: JSONPath
      package var name: String

      package init(path: JSONPath, name: String) {
        self.path = path
        self.name = name
      }
    }

    package var subject: Subject
    /// The exchange or command; nil for any.
    package var name: String?
    /// Only messages that match are changed.
    package var filter: Template?
    /// Only answers to requests that match are changed.
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

    /// Whether it changes the time of a message instead of its content.
    package var isAboutTime: Bool {
      switch change {
      case .delay, .reorder: true
      default: false
      }
    }
  }
}
