import Testing

@testable import Processes

/// Storage folders have neutral names, and the kit recognises its own.
@Suite struct StorageNameTests {
  @Test func theKitKnowsItsOwnNames() {
    for _ in 0..<100 {
      let name = StorageName.ofRun()
      #expect(StorageName.isOfRun(name))
      #expect(!StorageName.isOfRun(name + "x") && !StorageName.isOfRun(String(name.dropLast())))
    }
  }

  /// Folders of other programs that look alike are not the kit's to remove.
  @Test(arguments: ["", "app-", "app-aaaaaaaaaaaaaa", "app-cache", "app-0123456789abcd", "conform-run-1-abc", "x"])
  func theNamesOfOthersAreNotTheKits(name: String) { #expect(!StorageName.isOfRun(name)) }

  @Test func noNameSaysWhatItIsForOrCounts() throws {
    let first = try StorageFolder()
    let second = try StorageFolder()
    defer {
      first.remove()
      second.remove()
    }
    for storage in [first, second] {
      let names = storage.path.split(separator: "/").suffix(2)
      #expect(names.allSatisfy { !$0.contains("conform") && !$0.contains("run") && Int($0) == nil }, "\(names)")
    }
    #expect(first.path != second.path)
  }
}
