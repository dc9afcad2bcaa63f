package import NoteText

/// A living note as the meaning of links needs it.
package struct LinkedNote: Hashable, Sendable {
    /// The note's id.
    package let id: NoteID
    /// The note's name; nil if it has none.
    package let name: ByteString?

    package init(id: NoteID, name: ByteString?) {
        self.id = id
        self.name = name
    }
}

/// A lookup of living notes by their labels.
package protocol LinkLookup {
    associatedtype Failure: Error

    /// The note with an id if it lives and is of a kind; nil as a kind means both.
    mutating func note(_ id: NoteID, of kind: NoteKind?) throws(Failure) -> LinkedNote?
    /// The notes of a kind whose folded name is equal to a text, in any order.
    mutating func notes(named folded: ByteString, of kind: NoteKind) throws(Failure) -> [LinkedNote]
    /// The notes of a kind whose folded name ends in `/` and a text, in any order.
    mutating func notes(endingIn folded: ByteString, of kind: NoteKind) throws(Failure) -> [LinkedNote]
    /// The texts with an alias whose fold is equal to a text, in any order.
    mutating func notes(aliased folded: ByteString) throws(Failure) -> [LinkedNote]
    /// The texts whose folded title is equal to a text, in any order.
    mutating func notes(titled folded: ByteString) throws(Failure) -> [LinkedNote]
    /// The texts whose name starts with an id (`NoteLabels.leadingID`), in any order.
    mutating func notes(withLeadingID id: ByteString) throws(Failure) -> [LinkedNote]
    /// Whether a living note has a folded name that starts with a text and `/`.
    mutating func isFolder(_ folded: ByteString) throws(Failure) -> Bool
    /// Whether a living file has a name.
    mutating func hasFiles() throws(Failure) -> Bool
}

extension LinkTarget {
    /// The note that this target means in a note of a folder; nil if it means nothing. A target means a file only
    /// if it means no text, and only by the file's name.
    ///
    /// The answer depends on the folder and the set of ids, kinds, names, aliases and titles of living
    /// notes, and on nothing else.
    ///
    /// - Parameter folder: the linking note's folder (`LinkPath.folder`); empty at the root.
    /// - Precondition: the target is not empty. A link without a target means its own note.
    package func meaning<Lookup: LinkLookup>(
        in folder: ByteString, among lookup: inout Lookup
    ) throws(Lookup.Failure) -> LinkedNote? {
        try candidates(in: folder, among: &lookup, isFirstEnough: true).first
    }

    /// The notes that this target can mean, without duplicates. The first is the meaning; the others
    /// follow in order of rule, texts before files.
    ///
    /// - Parameters:
    ///   - noteKind: the kind of the notes; nil for both.
    ///   - isFirstEnough: whether the search ends with the first rule that finds a note.
    package func candidates<Lookup: LinkLookup>(
        in folder: ByteString, among lookup: inout Lookup, of noteKind: NoteKind? = nil, isFirstEnough: Bool = false
    ) throws(Lookup.Failure) -> [LinkedNote] {
        if kind == .id {
            guard let id = NoteID(parsing: text.utf8), let note = try lookup.note(id, of: noteKind) else { return [] }
            return [note]
        }
        var search = LinkSearch(isPath: kind == .path, folder: folder, isFirstEnough: isFirstEnough)
        for kind in NoteKind.allCases where noteKind == nil || noteKind == kind {
            if !search.isDone { try search.run(text, kind, among: &lookup) }
            if let beforeQuery, self.kind == .path, !search.isDone { try search.run(beforeQuery, kind, among: &lookup) }
        }
        return search.found
    }

    /// Whether a target that means nothing is a file that is no note, or a folder of notes, so that no
    /// note is missing. Where notes are files, a picture or the like is one of them.
    package func isAttachmentOrFolder<Lookup: LinkLookup>(
        in folder: ByteString, among lookup: inout Lookup
    ) throws(Lookup.Failure) -> Bool {
        guard kind != .id else { return false }
        if Attachments.isAttachment(text) {
            guard Attachments.isMedium(text), try lookup.hasFiles() else { return true }
        }
        var places: [ByteString] = []
        if kind == .path && !LinkPath.isRooted(text) || LinkPath.isRelative(text) {
            LinkPath.joined(folder, text).map { places.append($0) }
        }
        if !LinkPath.isRelative(text) { LinkPath.joined(ByteString(validUTF8: []), text).map { places.append($0) } }
        for place in places {
            if place.isEmpty { return true }
            if try lookup.isFolder(NameFolding.fold(place)) { return true }
        }
        return false
    }
}

/// The search for the notes that one target can mean, rule by rule.
private struct LinkSearch {
    let isPath: Bool
    let folder: ByteString
    let isFirstEnough: Bool
    private(set) var found: [LinkedNote] = []
    private var seen: Set<NoteID> = []

    init(isPath: Bool, folder: ByteString, isFirstEnough: Bool) {
        self.isPath = isPath
        self.folder = folder
        self.isFirstEnough = isFirstEnough
    }

    var isDone: Bool { isFirstEnough && !found.isEmpty }

    /// Finds the notes of a kind.
    mutating func run<Lookup: LinkLookup>(
        _ target: ByteString, _ kind: NoteKind, among lookup: inout Lookup
    ) throws(Lookup.Failure) {
        guard !LinkPath.isFolder(target) else { return }
        for written in [target, LinkPath.withoutExtension(target)].compactMap({ $0 }) {
            try findNames(written, kind, among: &lookup)
            if isDone { return }
        }
        // A file has no label but its name.
        guard kind == .text, !isPath, !LinkPath.isRelative(target), !LinkPath.isRooted(target) else { return }
        let folded = NameFolding.fold(target)
        add(try lookup.notes(aliased: folded))
        if isDone { return }
        add(try lookup.notes(titled: folded))
        if isDone || target.utf8.contains(UInt8(ascii: "/")) { return }
        let leading = try lookup.notes(withLeadingID: LinkPath.withoutExtension(folded) ?? folded)
        if leading.count == 1 { add(leading) }
    }

    /// Finds names: relative to the folder, from the root, and by their last parts.
    private mutating func findNames<Lookup: LinkLookup>(
        _ target: ByteString, _ kind: NoteKind, among lookup: inout Lookup
    ) throws(Lookup.Failure) {
        let isRelative = LinkPath.isRelative(target)
        let isRooted = LinkPath.isRooted(target)
        if isPath && !isRooted || isRelative, let name = LinkPath.joined(folder, target) {
            try find(name, kind, among: &lookup)
            if isDone { return }
        }
        guard !isRelative else { return }
        try find(isRooted ? ByteString(validUTF8: Array(target.utf8.dropFirst())) : target, kind, among: &lookup)
        if isDone || isRooted { return }
        add(try lookup.notes(endingIn: NameFolding.fold(target), of: kind))
    }

    /// Finds the notes with this name, then those with a name alike.
    private mutating func find<Lookup: LinkLookup>(
        _ name: ByteString, _ kind: NoteKind, among lookup: inout Lookup
    ) throws(Lookup.Failure) {
        guard !name.isEmpty else { return }
        let named = try lookup.notes(named: NameFolding.fold(name), of: kind)
        add(named.filter { $0.name == name })
        add(named)
    }

    /// Adds notes of one rule: first those beneath the folder, then shorter names.
    private mutating func add(_ notes: [LinkedNote]) {
        if isDone { return }
        let ranked = notes.map { (rank: rank($0), note: $0) }
        if isFirstEnough {
            ranked.min { $0.rank < $1.rank }.map { found.append($0.note) }
        } else {
            for (_, note) in ranked.sorted(by: { $0.rank < $1.rank }) where seen.insert(note.id).inserted { found.append(note) }
        }
    }

    private func isBeneath(_ note: LinkedNote) -> Bool {
        guard let name = note.name, !folder.isEmpty else { return false }
        return name.utf8.count > folder.utf8.count && name.utf8[folder.utf8.count] == UInt8(ascii: "/") && name.hasPrefix(folder)
    }

    /// 0 beneath the folder and otherwise 1, the length of the name in UTF-16 units, its bytes, and the id.
    private func rank(_ note: LinkedNote) -> (Int, Int, ByteString, NoteID) {
        let place = isBeneath(note) ? 0 : 1
        guard let name = note.name else { return (place, Int.max, ByteString(validUTF8: []), note.id) }
        // A sequence of four bytes is two units, all others one.
        let units = name.utf8.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
        return (place, units, name, note.id)
    }
}
