import Causality

@testable import TextMerge

/// Whether `View` says which conflicts are open. Until it does, what is here lets the tests of them build.
let viewHasConflicts = false

struct ConflictTexts {
    let base: [UInt8]
    let sides: [[UInt8]]
}

extension View {
    init(naming: ConflictNaming) { self.init() }
    init(limits: WalkLimits, naming: ConflictNaming) { self.init(limits: limits) }
    init(floor: Dot, text: [UInt8], isDeleted: Bool, conflicts: [Conflict], naming: ConflictNaming) {
        self.init(floor: floor, text: text, isDeleted: isDeleted)
    }
    var conflicts: [Conflict] { [] }
    mutating func conflicts(at version: Version) -> [Conflict] { [] }
    mutating func texts(of conflict: Conflict) -> ConflictTexts? { nil }
}
