/// Cursors, list tokens, search tokens and ids: the parser accepts exactly the written form, and
/// writing gives the text that was read.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    if input.byte() & 1 == 0 {
        let bytes = input.all()
        if let text = ByteString(checkedUTF8: bytes) { checkText(text) }
        precondition((NoteID(parsing: bytes) != nil) == isNoteID(bytes[...]), "an id is a UUID of version 7 in lower case")
    } else {
        checkNumbers(&input)
    }
    return 0
}

private func checkText(_ text: ByteString) {
    let cursor = CursorText.cursor(parsing: text)
    precondition((cursor != nil) == isCursor(text.utf8), "a cursor is a number, a point and a replica, once or twice")
    if let cursor { precondition(ByteString(CursorText.text(cursor)) == text, "a cursor is written as it was read") }
    let list = ListToken.place(parsing: text)
    precondition((list != nil) == isListToken(text), "a list token is an id, an id, a slash and a name, or a commit")
    if let list { precondition(ListToken.text(list) == text, "a list token is written as it was read") }
    let search = SearchToken.position(parsing: text)
    precondition((search != nil) == isSearchToken(text.utf8), "a search token is two numbers and the ranking")
    if let search { precondition(SearchToken.text(search) == text, "a search token is written as it was read") }
    if let id = NoteID(parsing: text.utf8) { precondition(id.description == text.description, "an id is written as it was read") }
}

private func isHex(_ text: some Collection<UInt8>, digits: Int) -> Bool {
    text.count == digits && text.allSatisfy { "0123456789abcdef".utf8.contains($0) }
}

private func isCursor(_ text: [UInt8]) -> Bool {
    let sequences = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(sequenceOfCommit)
    switch sequences.count {
    case 1: return sequences[0] != nil
    case 2: return sequences[0] ?? .max < sequences[1] ?? .min
    default: return false
    }
}

private func sequenceOfCommit(_ text: ArraySlice<UInt8>) -> Int64? {
    let digits = text.dropLast(17)
    let isNumber = !digits.isEmpty && digits.allSatisfy { "0123456789".utf8.contains($0) }
    let isPlain = digits.first != UInt8(ascii: "0") || digits.count == 1
    guard text.dropLast(16).last == UInt8(ascii: "."), isHex(text.suffix(16), digits: 16), isNumber, isPlain else { return nil }
    return Int64(String(decoding: digits, as: UTF8.self))
}

private func isNoteID(_ text: ArraySlice<UInt8>) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { isHex($0, digits: $0.count) }
        && parts[2].first == UInt8(ascii: "7") && "89ab".utf8.contains(parts[3].first ?? 0)
}

private func isListToken(_ text: ByteString) -> Bool {
    let rest = text.utf8.dropFirst(36)
    guard isNoteID(text.utf8.prefix(36)) else { return isCommit(text.utf8) }
    guard !rest.isEmpty else { return true }
    guard rest.first == UInt8(ascii: "/"), let name = ByteString(checkedUTF8: Array(rest.dropFirst())) else { return false }
    return (try? NoteName(name)) != nil
}

private func isCommit(_ text: [UInt8]) -> Bool {
    guard let number = UInt64(String(decoding: text, as: UTF8.self)) else { return false }
    return number > 0 && "\(number)".utf8.elementsEqual(text)
}

private func isSearchToken(_ text: [UInt8]) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2 || (4...4 + SearchScale.countsMax).contains(parts.count), isHex(parts[0], digits: 16),
        isHex(parts[1], digits: 16)
    else { return false }
    // 53 bits each, as a number is written.
    for part in parts.dropFirst(2) {
        guard isHex(part, digits: part.count), let number = UInt64(String(decoding: part, as: UTF8.self), radix: 16),
            number < 1 << 53, String(number, radix: 16).utf8.elementsEqual(part)
        else { return false }
    }
    let score = Double(bitPattern: UInt64(String(decoding: parts[0], as: UTF8.self), radix: 16) ?? 0)
    return score.isFinite && score.sign == .plus
}

private func checkNumbers(_ input: inout FuzzInput) {
    func number() -> UInt64 { input.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
    let commit = CommitPosition(sequence: number() >> 2, replica: ReplicaID(bits: number()))
    let newest = CommitPosition(sequence: commit.sequence + 1 + number() >> 2, replica: ReplicaID(bits: number()))
    for cursor in [Cursor(commit), Cursor(commit, newest: newest)] {
        precondition(
            CursorText.cursor(parsing: ByteString(CursorText.text(cursor))) == cursor, "a cursor is read as it was written")
    }
    let score = Double(bitPattern: number() >> 1)
    let counts = (0..<input.byte() % 8).map { _ in number() >> 11 }
    let scale = SearchScale(notes: number() >> 11, bytes: number() >> 11, counts: counts)
    for scale in [nil, scale] {
        let found = SearchPosition(scoreBits: score.isFinite ? score.bitPattern : 0, number: number(), scale: scale)
        precondition(SearchToken.position(parsing: SearchToken.text(found)) == found, "a search token is read as it was written")
    }
    let id = NoteID(high: number() & ~0xF000 | 0x7000, low: number() & ~(3 << 62) | 2 << 62)
    precondition(NoteID(parsing: Array(id.description.utf8)) == id, "an id is read as it was written")
}
