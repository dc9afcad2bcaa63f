import Console
package import NoteText
import NotesModel

/// The notes that an agent may read and change. All others do not exist for it.
package struct ContextScope {
    /// The bytes that the names begin with; nil for all notes, also those without a name.
    var prefix: ByteString?
    /// A tag that the notes have, in lower case and without `#`; nil for all notes.
    var tag: ByteString?

    package init(prefix: ByteString? = nil, tag: ByteString? = nil) {
        self.prefix = prefix
        self.tag = tag
    }

    /// Whether there may be notes outside of the scope.
    var isRestricted: Bool { prefix != nil || tag != nil }

    /// Whether a note is in the scope.
    func contains(_ head: Head) -> Bool { contains(name: head.name, tags: head.tags) }

    private func contains(name: NoteName?, tags: [ByteString]) -> Bool {
        if let prefix, name?.bytes.hasPrefix(prefix) != true { return false }
        return tag.map(tags.contains) ?? true
    }

    /// Checks that a note is in the scope after a change.
    ///
    /// - Throws: `ToolFailure` that says what the note must have.
    func check(name: NoteName?, text: [UInt8]) throws(ToolFailure) {
        if let prefix, name?.bytes.hasPrefix(prefix) != true {
            throw ToolFailure(
                "the name must begin with \(SafeText.quoted("\(prefix)")), the only notes that you may change; nothing was changed"
            )
        }
        if let tag, !hasTag(text) {
            throw ToolFailure(
                "the text must have the tag \(SafeText.quoted("#\(tag)")), which marks the notes that you may change; nothing was changed"
            )
        }
    }

    /// Whether a text has the tag of the scope.
    func hasTag(_ text: [UInt8]) -> Bool { tag.map { Tags.of(text).contains($0) } ?? true }

    /// The filter for a list of notes whose names begin with a prefix; nil if none of them can be in the
    /// scope.
    func filter(prefix wanted: ByteString?) -> Filter? {
        guard let prefix else { return Filter(prefix: wanted, tag: tag) }
        guard let wanted, !prefix.hasPrefix(wanted) else { return Filter(prefix: prefix, tag: tag) }
        return wanted.hasPrefix(prefix) ? Filter(prefix: wanted, tag: tag) : nil
    }
}

/// The amount that an agent may write: a number of changes a minute, and bytes in all.
package struct ContextBudget {
    /// Changes in any minute.
    let changesPerMinute: Int
    /// Bytes of all changes of a session: of the arguments, or of what is written if that is more.
    let bytesMax: Int
    /// The times of the changes of the last minute, in seconds of a monotonic clock, oldest first.
    private var changes: [Int] = []
    private var bytes = 0

    package init(changesPerMinute: Int, bytesMax: Int) {
        self.changesPerMinute = changesPerMinute
        self.bytesMax = bytesMax
    }

    /// Takes a change into account.
    ///
    /// - Parameters:
    ///   - size: bytes of its arguments.
    ///   - now: seconds of a monotonic clock.
    /// - Returns: why the change is refused; nil if it may be made.
    mutating func refusal(ofBytes size: Int, at now: Int) -> String? {
        changes.removeAll { $0 <= now - 60 }
        guard changes.count < changesPerMinute else {
            let wait = (changes.first ?? now) + 60 - now
            return
                "you may make \(counted(changesPerMinute, "change")) a minute; wait \(counted(wait, "second")); nothing was changed"
        }
        if let refusal = refusal(ofFurtherBytes: size) { return refusal }
        changes.append(now)
        return nil
    }

    /// Takes into account that a change writes more than its arguments have.
    ///
    /// - Returns: as `refusal(ofBytes:at:)`.
    mutating func refusal(ofFurtherBytes size: Int) -> String? {
        guard size <= bytesMax - bytes else {
            return "you may write \(ByteCount.text(bytesMax)) in a session, and \(ByteCount.text(bytes)) are used; "
                + "ask the user to start a new session; nothing was changed"
        }
        bytes += max(0, size)
        return nil
    }
}
