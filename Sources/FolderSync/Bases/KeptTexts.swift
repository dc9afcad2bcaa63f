/// The texts of entries that the caller of `BaseRule` has read, or has found to be unreadable.
struct KeptTexts: Sendable {
    private var texts: [Int: [UInt8]?] = [:]

    init() {}

    /// - Parameters:
    ///   - text: the text of the entry's version, or of its joined version; nil if it cannot be read any
    ///     more, because it was purged or compacted.
    ///   - number: the number of the entry.
    mutating func add(_ text: [UInt8]?, at number: Int) {
        texts.updateValue(text, forKey: number)
    }

    enum Lines {
        case notRead, unreadable
        /// One for each line of the entry.
        case read([ArraySlice<UInt8>])
    }

    /// The lines of an entry. A text that lacks any line of the entry is as good as none.
    func lines(of entry: ShownTexts.Entry, number: Int) -> Lines {
        guard let text = texts[number] else { return .notRead }
        return text.flatMap { entry.text.found(in: $0) }.map(Lines.read) ?? .unreadable
    }
}
