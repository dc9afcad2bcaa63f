import Console
import EditSession

extension EditNotice {
    /// The sentence for the user of `browse`.
    var sentence: String {
        switch self {
        case .refused(let reason): "not saved yet: \(SafeText.line(reason))"
        case .offline: "not saved: the daemon is away; what you type is kept in a draft and sent later"
        case .clash: "others changed the same line as you; the note keeps both and is in conflict"
        case .bothKept: "others changed what you undid; both are kept"
        case .nothingToUndo: "nothing to undo here"
        case .nothingToRedo: "nothing to redo here"
        case .deleted: "somebody deleted this note; typing restores it"
        case .drifted: "the text differed from the daemon's and was corrected"
        case .parted: "the daemon no longer has this note or its version; your text is kept in a draft"
        }
    }
}
