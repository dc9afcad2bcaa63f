package import NoteText
package import NotesModel
package import NotesStore

/// Lists of notes and tags.
extension MemoryJournal {
    package func heads(
        matching filter: Filter, after position: ListPosition?, limit: Int
    ) throws(JournalError) -> [StoredHead] {
        try demandReading()
        let matching = allHeads.filter { filter.matches($0.head) && $0.head.isPlaced(after: position) }
        return Array(matching.sorted { $0.head.position < $1.head.position }.prefix(max(0, limit)))
    }

    package func newestHeads(
        matching filter: Filter, before sequence: UInt64?, limit: Int
    ) throws(JournalError) -> NewestHeads {
        try demandReading()
        let matching = allHeads.filter { filter.matches($0.head) && $0.sequence < sequence ?? .max }
        let page = Array(matching.sorted { $0.sequence > $1.sequence }.prefix(limit))
        return NewestHeads(heads: page, next: page.count < matching.count ? page.last?.sequence : nil)
    }

    package func tags(startingWith prefix: ByteString, after tag: ByteString?, limit: Int) throws(JournalError) -> TagPage {
        try demandReading()
        let tags = allHeads.filter { !$0.head.isDeleted }.flatMap(\.head.tags).filter { $0.hasPrefix(prefix) && tag ?? "" < $0 }
        let counts = Dictionary(grouping: tags) { $0 }.map { TagCount(tag: $0, notes: $1.count) }.sorted { $0.tag < $1.tag }
        let page = Array(counts.prefix(limit))
        return TagPage(tags: page, next: page.count < counts.count ? page.last?.tag : nil)
    }

    package func changed(after: UInt64, through: UInt64, limit: Int) throws(JournalError) -> [StoredHead] {
        try demandReading()
        let changed = allHeads.filter { $0.sequence > after && $0.sequence <= through }
        return Array(changed.sorted { $0.sequence < $1.sequence }.prefix(max(0, limit)))
    }
}
