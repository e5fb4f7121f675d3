import Glibc
import Synchronization

/// The adapters that run now, for a kit that has to go at once.
package enum LivingProcesses {
  private static let groups = Mutex<Set<pid_t>>([])

  /// Kills every adapter and whatever it started. Nothing waits for their ends: the system takes what is left.
  package static func killAll() {
    groups.withLock { groups in
      for group in groups { kill(-group, SIGKILL) }
    }
  }

  static func add(_ group: pid_t) { groups.withLock { _ = $0.insert(group) } }

  static func remove(_ group: pid_t) { groups.withLock { _ = $0.remove(group) } }
}
