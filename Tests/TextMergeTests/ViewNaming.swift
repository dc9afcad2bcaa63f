import Causality

@testable import TextMerge

extension View {
    init() { self.init(limits: WalkLimits()) }
    init(limits: WalkLimits) { self.init(limits: limits, naming: ConflictNaming { Array($0.suffix(16)) }) }
    init(floor: Dot, text: [UInt8], isDeleted: Bool) {
        self.init(
            floor: floor, text: text, isDeleted: isDeleted, conflicts: [], naming: ConflictNaming { Array($0.suffix(16)) })
    }

    init(
        floor: Dot, text: [UInt8], lastLine: LastLineFeed = .shown, isDeleted: Bool, conflicts: [KeptConflict],
        naming: ConflictNaming
    ) {
        let state = ViewFloor(text: text, lastLine: lastLine, isDeleted: isDeleted, conflicts: conflicts)
        self.init(floor: floor, state, naming: naming)
    }
}
