package import Causality
package import NotesMethods
package import NotesModel
import StrictJSON

/// `revisions.page`: revisions for a peer.
package struct RevisionsPage: Hashable, Sendable {
    /// The number of the watch.
    package var watch: UInt64
    /// The number of the page in the watch, from 1 without a gap.
    package var seq: UInt64
    /// The number of revisions that the peer lacked when the watch started and that follow.
    package var left: Int
    /// The beginnings of notes whose earlier texts are gone. The revisions may be based on them.
    package var beginnings: [WireBeginning]
    /// The revisions in the order of their commits.
    package var revisions: [WireRevision]
    /// The revisions that the store cannot send, because their rows are damaged, or their texts were
    /// compacted and the beginning of the note is too large.
    package var gone: [Dot]

    package init(
        watch: UInt64, seq: UInt64, left: Int, beginnings: [WireBeginning] = [], revisions: [WireRevision], gone: [Dot]
    ) {
        self.beginnings = beginnings
        self.watch = watch
        self.seq = seq
        self.left = left
        self.revisions = revisions
        self.gone = gone
    }

    /// The notification line, including its LF.
    package func line() -> [UInt8] {
        .notification("revisions.page") { params in
            params.member("watch", watch)
            params.member("seq", seq)
            params.member("left", left)
            if !beginnings.isEmpty {
                params.name("beginnings")
                params.array(of: beginnings) { $1.write(to: &$0) }
            }
            params.name("revisions")
            params.array(of: revisions) { $1.write(to: &$0) }
            params.name("gone")
            params.array(of: gone) { $0.string($1) }
        }
    }

    init(reading params: JSONValue) throws(ParamFault) {
        watch = try params.required("watch", Param.number)
        seq = try params.required("seq", Param.number)
        left = try params.required("left", Param.count)
        beginnings = try params.optional("beginnings", Param.array(Param.beginning)) ?? []
        revisions = try params.required("revisions", Param.array(Param.revision))
        gone = try params.required("gone", Param.array(Param.dot))
    }
}
