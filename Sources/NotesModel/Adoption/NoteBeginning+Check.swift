import Causality
import NoteText
import TextMerge

extension NoteBeginning {
    /// Checks everything that does not depend on a store. It must be strict: the code below it relies on
    /// valid revisions and texts.
    ///
    /// - Complexity: O(bytes of the text and the floor's edits).
    package func check(_ limits: ModelLimits) throws(BeginningFault) {
        let content = floor.content
        let reason = AdoptionRules.fault(in: content)
        guard reason == nil || reason == .marked && isPurge && content.mark?.covers.isEmpty == true else {
            throw .floor(reason ?? .markWrites)
        }
        guard !content.parents.isNothing, content.parents.dots.allSatisfy(below.contains), !below.contains(dot),
            below.count <= Self.belowMax, below.isSuperset(of: erased)
        else { throw .invalid }
        guard text.count <= 2 * limits.noteBytesMax, UTF8Validation.isValid(text), !text.contains(0) else { throw .invalid }
        guard lastLine != .absent || text.last != UInt8(ascii: "\n") else { throw .invalid }
        guard isDeleted ? text.isEmpty && name == nil : !content.isTombstone else { throw .invalid }
        if isPurge, content.name != .set(name) || content.isTombstone != isDeleted { throw .invalid }
        guard content.edits.fault(forLength: .max) == nil else { throw .invalid }
        // The text before the floor is not known, only its size. Removed ranges ascend, so their sum cannot overflow.
        let (removed, added) = content.edits.reduce((0, 0)) { ($0.0 + ($1.end - $1.start), $0.1 + $1.replacement.count) }
        guard added <= text.count,
            case (let before, false) = (text.count - added).addingReportingOverflow(removed),
            content.edits.fault(forLength: before) == nil, !content.edits.contains(where: { $0.replacement.contains(0) })
        else { throw .invalid }
    }
}
