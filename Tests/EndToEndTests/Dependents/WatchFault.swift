/// A broken guarantee of a watch and the line that broke it.
struct WatchFault: Hashable, Sendable, CustomStringConvertible {
    enum Rule: String, CaseIterable, Sendable {
        /// `seq` rises by exactly 1 from 1.
        case gap
        /// Lines are in commit order.
        case order
        /// No state is sent twice.
        case unique
        /// A line shows the note as of the commit in its cursor: version, text and whether it is
        /// deleted.
        case state
        /// A line counts the changes that it covers.
        case coalesced
        /// A cursor never passes a change that was not sent.
        case overtaken
        /// After the last line, the client has the newest state of every note.
        case newest
        /// The change word is the first in the protocol's order that applies.
        case word
        /// Notes outside the filter are not mentioned.
        case filter
        /// Own writes are not sent without echo, and follow their responses with it.
        case own
        /// `origin` names the author of the newest change.
        case origin
        /// A line has the requested details, and its edits apply to the text that the client has.
        case body
        /// `watch.synced` ends a catch-up and appears nowhere else; a bookmark is sent only to a
        /// watch that is up to date.
        case mark
    }

    let rule: Rule
    let what: String

    var description: String { "\(rule): \(what)" }
}
