import Causality
package import NotesModel

/// The removals of a mirrored folder that wait for a person.
package struct HeldRemovals {
    /// Sorted by path; none of them is approved.
    package let removals: [MirrorState.Waiting]

    /// - Parameter time: the present time, at which older approvals may have ended.
    package init(_ state: MirrorState, at time: Timestamp) {
        removals = state.waiting.filter { $0.kind == .held && $0.removal != nil && !$0.isApproved(at: time) }
    }

    /// Eight hexadecimal digits that differ from those of any other set of removals, but for a chance of 1 in
    /// 2³². They tell a set that a person has seen from the one that waits now.
    ///
    /// - Complexity: O(bytes of the paths).
    package var digest: String {
        var bytes: [UInt8] = []
        for waiting in removals {
            guard let removal = waiting.removal else { continue }
            // Neither a path nor the text of a version has a zero byte, and ids have a fixed length.
            bytes += waiting.path + [0] + removal.note.bytes + Array(removal.version.description.utf8) + [0]
        }
        return SHA256.hash(of: bytes).prefix(4).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
