import ConformanceWire
import FoundationEssentials
import Glibc
import NIOCore
import Processes

extension MachineLack {
  /// Describes what the machine lacks if this is known to be the cause of the error, for example because its disk is
  /// full; otherwise nil.
  package init?(_ error: any Error) {
    if let failure = error as? ProgramFailure, failure.kind == .machine {
      self.init(text: failure.text)
    } else if let code = (error as? IOError)?.errnoCode ?? (error as? MockServer.ListenFailure)?.code {
      self.init(errno: code)
    } else if (error as? CocoaError)?.code == .fileWriteOutOfSpace {
      self.init(errno: ENOSPC)
    } else {
      return nil
    }
  }
}
