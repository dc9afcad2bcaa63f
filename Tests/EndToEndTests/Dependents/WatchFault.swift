/// A promise of a watch, and the line that broke it.
struct WatchFault: Hashable, Sendable, CustomStringConvertible {
    enum Rule: String, CaseIterable, Sendable {
        /// `seq` rises by exactly 1 from 1.
        case gap
        /// Lines go out in commit order.
        case order
        /// No state is told twice.
        case unique
        /// A line shows the note as it was at the commit of its cursor: version, text and whether it is deleted.
        case state
        /// A line says for how many changes it stands.
        case coalesced
        /// A cursor does not overtake a change that it covers.
        case overtaken
        /// Where all has come, the newest state of every note has.
        case newest
        /// The word for what happened is the first in the protocol's order that applies.
        case word
        /// Notes outside the filter are not mentioned.
        case filter
        /// Own writes are not told where no echo is wanted, and come behind their answers where it is.
        case own
        /// `origin` is whose the newest change was.
        case origin
        /// A line carries what was asked for, and edits build on what the client was shown.
        case body
        /// `watch.synced` ends a catching up, and nothing else; a bookmark comes to one who was told all.
        case mark
    }

    let rule: Rule
    let what: String

    var description: String { "\(rule): \(what)" }
}
