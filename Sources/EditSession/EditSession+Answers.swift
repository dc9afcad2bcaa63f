import Causality
import NoteText
import NotesModel
import NotesWire
import TextMerge

/// Lines and responses of the daemon.
extension EditSession {
    /// Takes a line of the watch at once if its edits apply to what the session shows. Otherwise the
    /// session reads the note when it can.
    mutating func watched(_ note: NoteObject) {
        guard note.head.version != version, note.head.version != offer?.adoption?.version else { return }
        guard !note.head.isDeleted else { return deleted() }
        let isIdle =
            isOnline && flight == nil && reading == nil && queue.isEmpty && !isBehind && !isDeleted && !isParted
            && mayTake
        guard isIdle, case .edits(version?, _) = note.body, let new = text(of: note, from: shadow) else {
            isBehind = true
            return
        }
        take(newest: new, note)
    }

    private mutating func deleted() {
        guard !isDeleted else { return }
        isDeleted = true
        actions.append(.tell(.deleted))
    }

    /// The text of a note that was sent as a text, or as edits of an older one; nil if the edits do not fit.
    private func text(of note: NoteObject, from old: [UInt8]) -> [UInt8]? {
        switch note.body {
        case .text(let text): text
        case .edits(_, let edits): Self.applied(edits, to: old)
        case .meta: nil
        }
    }

    private static func applied(_ edits: [PositionedEdit], to text: [UInt8]) -> [UInt8]? {
        guard let edits = try? Positions.bytes(of: edits, in: text, encoding: .utf8) else { return nil }
        let new = edits.applied(to: text)
        return UTF8Validation.isValid(new) ? new : nil
    }

    // MARK: Responses to writes

    mutating func written(_ result: OutcomeResult, _ flight: Flight) {
        guard let changes = flight.changes else {
            if result.note != nil || isRemote { isBehind = true }
            return
        }
        writtenChanges = max(writtenChanges, changes)
        marks = marks.map { StatedDiff.edits(from: flight.baseText, to: flight.sent).moved($0, limit: flight.sent.count) }
        adopt(result.version, flight.sent)
        guard let now = result.note else {
            isDeleted = false
            return
        }
        guard !now.isDeleted else { return deleted() }
        isDeleted = false
        guard let merged = now.edits.flatMap({ Self.applied($0, to: flight.sent) }) ?? now.text else {
            (isBehind, needsWholeText) = (true, true)
            return
        }
        let marks = now.conflicts.filter { $0.kind == .text }.map(\.range)
        if !isRemote, clashes(flight.sent, merged) { return mark() }
        if case .edit = flight.write, let dot = result.dot, !result.isReplayed, !merged.isSame(as: flight.sent) {
            // The text of the others without this write, because edits in a response are too coarse.
            let others = Version(now.version.dots.filter { $0 != dot }).union(flight.base)
            let met = Met(flight: flight, dot: dot, version: now.version, merged: merged, marks: marks)
            return request(.at(others), .theirs(met))
        }
        if isRemote { isBehind = true } else { take(merged, over: flight.sent, now.version, marks, met: nil) }
    }

    /// Whether what the user typed since `text`, which is not sent yet, and what others made of `text`
    /// exclude each other.
    private func clashes(_ text: [UInt8], _ merged: [UInt8]) -> Bool {
        guard !self.text.isSame(as: text), !merged.isSame(as: text), !self.text.isSame(as: merged) else { return false }
        return LineMerge.isClash(base: text, mine: self.text, theirs: merged)
    }

    /// Sends what the user typed as a whole text on the version on which it was typed, so that the daemon
    /// marks the conflict.
    private mutating func mark() {
        actions.append(.tell(.clash))
        save(on: version)
    }

    /// Ends the meeting of a write with the text of others on the same base.
    private mutating func met(_ met: Met, _ theirs: [UInt8]) {
        let flight = met.flight
        guard LineMerge.isClash(base: flight.baseText, mine: flight.sent, theirs: theirs) else {
            if isRemote { return repair(met, theirs) }
            return take(met.merged, over: flight.sent, met.version, met.marks, met: (flight.baseText, theirs))
        }
        actions.append(.tell(.clash))
        let withdrawal = UndoNote(id: note, base: met.version, revisions: [met.dot], op: operation(on: met.version, "-u"))
        let again = SaveNote(id: note, base: flight.base, text: flight.sent, op: operation(on: flight.base, "-s"))
        queue = [
            Flight(write: .undo(withdrawal), base: met.version, baseText: flight.sent, sent: flight.sent),
            Flight(
                write: .save(again), base: flight.base, baseText: flight.baseText, sent: flight.sent, changes: flight.changes),
        ]
    }

    /// Writes the merge by lines in place of that of the daemon at once. A remote editor may decline edits for
    /// long, and others would see until then what nobody wrote. They may have repaired it themselves, so the
    /// session looks first.
    private mutating func repair(_ met: Met, _ theirs: [UInt8]) {
        isBehind = true
        let flight = met.flight
        let wish = LineMerge.repaired(base: flight.baseText, mine: flight.sent, theirs: theirs, merged: met.merged)
        guard !wish.isSame(as: met.merged) else { return }
        request(.newest(from: met.version), .repair(merged: met.merged, wish: wish))
    }

    private mutating func repair(_ merged: [UInt8], _ wish: [UInt8], in note: NoteObject) {
        guard !note.head.isDeleted, let now = text(of: note, from: merged),
            !LineMerge.isClash(base: merged, mine: wish, theirs: now)
        else { return }
        let repaired = LineMerge.merged(base: merged, mine: wish, theirs: now)
        guard !repaired.isSame(as: now) else { return }
        let edits = StatedDiff.shortEdits(from: now, to: repaired).map {
            PositionedEdit(start: $0.start, end: $0.end, text: $0.replacement)
        }
        let params = EditNote(id: self.note, base: note.head.version, edits: edits, op: operation(on: note.head.version, "-r"))
        queue = [Flight(write: .repair(params), base: note.head.version, baseText: now, sent: repaired)]
    }

    // MARK: Responses to reads

    mutating func read(_ note: NoteObject, _ kind: Reading, _ now: Duration) {
        switch kind {
        case .newest:
            guard !note.head.isDeleted else { return deleted() }
            guard mayTake else {
                isBehind = true
                return
            }
            guard let new = text(of: note, from: shadow) else {
                // Edits that do not fit the shadow.
                (isBehind, needsWholeText) = (!needsWholeText, true)
                return
            }
            needsWholeText = false
            take(newest: new, note)
        case .repair(let merged, let wish): repair(merged, wish, in: note)
        case .theirs(let met): if let theirs = note.text { self.met(met, theirs) } else { giveUp(met) }
        case .probe(let index):
            guard let text = note.text, shown.indices.contains(index), text.isSame(as: shown[index].text) else {
                return probe(below: index)
            }
            (version, shadow) = (shown[index].version, text)
            isHeld = true
        case .check:
            (isDoubtful, adoptions) = (false, 0)
            guard let text = note.text, !text.isSame(as: shadow) else { return }
            guard mayOffer else {
                isDoubtful = true
                return
            }
            actions.append(.tell(.drifted))
            take(text, over: shadow, version, marks, met: nil)
        }
    }

    /// Leaves the merge as the daemon made it.
    private mutating func giveUp(_ met: Met) {
        if isRemote {
            isBehind = true
            return
        }
        take(met.merged, over: met.flight.sent, met.version, met.marks, met: nil)
    }

    private mutating func take(newest new: [UInt8], _ note: NoteObject) {
        isDeleted = false
        if isRemote, note.head.version == version, new.isSame(as: shadow) {
            marks = note.conflicts.filter { $0.kind == .text }.map(\.range)
            return
        }
        if clashes(shadow, new) { return mark() }
        var stated: [Edit]?
        if case .edits(_, let edits) = note.body { stated = try? Positions.bytes(of: edits, in: shadow, encoding: .utf8) }
        let ranges = note.conflicts.filter { $0.kind == .text }.map(\.range)
        take(new, over: shadow, stated: stated, note.head.version, ranges, met: nil)
    }

    /// Looks for the newest shown text, of those before `index`, that the daemon still has.
    private mutating func probe(below index: Int) {
        guard index > 0 else {
            (isParted, draftAt) = (true, nil)
            actions += [.keepDraft, .tell(.parted)]
            return
        }
        request(.at(shown[index - 1].version), .probe(index - 1))
    }

    // MARK: Merging

    mutating func adopt(_ version: Version, _ text: [UInt8]) {
        (self.version, shadow) = (version, text)
        shown.append((version, text))
        var bytes = shown.reduce(0) { $0 + $1.text.count }
        while shown.count > 1, shown.count > Self.shownMax || bytes > Self.shownBytesMax {
            bytes -= shown.removeFirst().text.count
        }
        adoptions += 1
        if adoptions >= Self.adoptionsMax { isDoubtful = true }
    }

    /// Makes `merged` the new shadow, and merges it into what the user typed since `old`.
    ///
    /// - Parameters:
    ///   - stated: the edits from `old` to `merged`, as the daemon states them.
    ///   - met: if `old` is a write that met another in the daemon, its base and the text of the others.
    private mutating func take(
        _ merged: [UInt8], over old: [UInt8], stated: [Edit]? = nil, _ version: Version, _ marks: [Range<Int>],
        met: (base: [UInt8], theirs: [UInt8])?
    ) {
        let typed = StatedDiff.edits(from: old, to: text, caret: caret)
        var others = StatedDiff.shortEdits(from: old, to: merged)
        // The daemon may have joined changes that are apart, but what is short is what somebody did.
        if let stated = stated?.normalized(), stated.touchedBytes <= others.touchedBytes { others = stated }
        let placed = Self.placed(others, over: typed)
        let plain = placed.applied(to: text)
        let wish = met.map { LineMerge.repaired(base: $0.base, mine: old, theirs: $0.theirs, merged: merged) } ?? merged
        var new = plain
        if !wish.isSame(as: merged) || !typed.isEmpty {
            let proposal: [UInt8] =
                if wish.isSame(as: merged) { plain } else if typed.isEmpty { wish } else {
                    typed.transformed(over: StatedDiff.edits(from: old, to: wish), inserting: .before).applied(to: wish)
                }
            new = LineMerge.repaired(base: old, mine: text, theirs: wish, merged: proposal)
        }
        let edits =
            if new.isSame(as: text) { [Edit]() } else if new.isSame(as: plain) { placed } else {
                StatedDiff.shortEdits(from: text, to: new)
            }
        let adoption = Offer.Adoption(version: version, text: merged, marks: marks.map { $0.clamped(to: 0..<merged.count) })
        propose(edits, adopting: adoption)
    }

    /// The edits of others, for the text that the user's edits make. At one place, the user's insertion
    /// comes first, except before whole lines.
    static func placed(_ others: [Edit], over typed: [Edit]) -> [Edit] {
        guard !typed.isEmpty else { return others }
        let newline = UInt8(ascii: "\n")
        let lines = others.filter { $0.replacement.last == newline }.transformed(over: typed, inserting: .before)
        let words = others.filter { $0.replacement.last != newline }.transformed(over: typed, inserting: .after)
        let placed = (lines + words).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        // A line that was replaced where a word was inserted may now begin before what the user typed there,
        // and the word follows it.
        return placed.fault(forLength: .max) == nil ? placed : others.transformed(over: typed, inserting: .after)
    }

    // MARK: Errors

    mutating func refused(_ number: UInt64, _ error: WireError, _ now: Duration) {
        if let reading, reading.number == number {
            self.reading = nil
            return refused(reading.kind, error, now)
        }
        guard let flight, flight.number == number else { return }
        if case .repair = flight.write, !error.isRetryable {
            // The text stays as the daemon merged it.
            self.flight = nil
            return
        }
        switch error.kind {
        case .invalidParams where isRemote && error.path == "params.op":
            // Another session of the same editor has written on this base.
            end(flight)
            refusal = Refusal(text: text, retryAt: nil)
            actions.append(.fault(.written))
        case .overloaded, .storageFull, .storageFailed, .shuttingDown:
            retryAt = now + Self.retry
            if error.kind != .overloaded { actions.append(.tell(.refused(error.message))) }
            return
        case .unknownBase, .revisionGone:
            end(flight)
            probe(below: shown.count)
        case .noteNotFound:
            end(flight)
            probe(below: 0)
        case .invalidEdit:
            end(flight)
            isDoubtful = true
        case .noteTooLarge, .lineTooLong: wait(until: nil, error)
        default: wait(until: now + Self.pause, error)
        }
        isSaveAsked = false
    }

    /// Ends a write that the daemon refused, and those that follow it.
    ///
    /// A save that follows the undo of the session's own revision is of an older version than the
    /// session's. That version counts again, because the daemon no longer shows the text.
    private mutating func end(_ flight: Flight) {
        (self.flight, queue) = (nil, [])
        writtenChanges = savedChanges
        if case .undo = flight.write { isBehind = true }
        guard case .save = flight.write, flight.base != version else { return }
        if let index = shown.lastIndex(where: { $0.version == flight.base }) { shown.removeSubrange((index + 1)...) }
        (version, shadow, marks) = (flight.base, flight.baseText, [])
        (isHeld, isBehind) = (true, true)
    }

    private mutating func wait(until retryAt: Duration?, _ error: WireError) {
        if let flight { end(flight) }
        refusal = Refusal(text: text, retryAt: retryAt)
        actions.append(.tell(.refused(error.message)))
    }

    private mutating func refused(_ kind: Reading, _ error: WireError, _ now: Duration) {
        switch kind {
        case .newest:
            if error.kind == .noteNotFound { return probe(below: 0) }
            (isBehind, retryAt) = (true, now + (error.isRetryable ? Self.retry : Self.pause))
            // The daemon may no longer have the version from which it counts.
            needsWholeText = true
        case .theirs(let met): giveUp(met)
        case .repair: break
        case .probe(let index):
            guard error.isRetryable else { return probe(below: index) }
            (self.reading, retryAt) = (nil, now + Self.retry)
            isHeld = true
        case .check: (isDoubtful, adoptions) = (false, 0)
        }
    }
}

extension [Edit] {
    /// The number of bytes that the edits remove or insert.
    fileprivate var touchedBytes: Int { reduce(0) { $0 + $1.end - $1.start + $1.replacement.count } }
}
