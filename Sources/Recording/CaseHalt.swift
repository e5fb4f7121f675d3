import ConformanceTranscript

/// The error with which a step ends its case early.
package struct CaseHalt: Error {
  package var ending: TranscriptEntry.Ending

  package init(_ kind: TranscriptEntry.Ending.Kind, _ text: String) { ending = .init(kind, text) }
}
