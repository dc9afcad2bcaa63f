/// Offsets of clients' edits in all three encodings, compared with counting each from the start.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    var input = FuzzInput(data, size)
    let letters = ["a", "\n", "é", "漢", "🙂", "\u{10FFFF}", "e\u{301}", "\u{7FF}", "\u{800}", "\u{FFFF}"]
    let text = Array((0..<input.below(24)).map { _ in input.pick(letters) }.joined().utf8)
    var edits: [PositionedEdit] = []
    var least = 0
    for _ in 0..<input.below(7) {
        let odd = input.byte()
        // Mostly ascending; sometimes any number.
        let start = odd < 20 ? far(odd) : least + input.below(12) - (odd < 40 ? 2 : 0)
        let end = odd > 240 ? far(odd) : start &+ input.below(9) &- (odd > 220 ? 2 : 0)
        edits.append(PositionedEdit(start: start, end: end, text: Array("x".utf8)))
        least = max(0, min(end, 1_000))
    }
    for encoding in PositionEncoding.allCases { check(edits, text, encoding) }
    return 0
}

private func far(_ choice: UInt8) -> Int {
    [.max, .min, -1, 1 << 53, -(1 << 53), 1 << 31, 1 << 32, .max - 1, .min + 1, 1_000][Int(choice) % 10]
}

/// The start of each character, in code units and in bytes; the end, too.
private func boundaries(_ text: [UInt8], _ encoding: PositionEncoding) -> [Int: Int] {
    var places = [0: 0]
    var (unit, byte) = (0, 0)
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
        byte += UTF8.width(scalar)
        switch encoding {
        case .utf8: unit = byte
        case .utf16: unit += UTF16.width(scalar)
        case .utf32: unit += 1
        }
        places[unit] = byte
    }
    return places
}

private func check(_ edits: [PositionedEdit], _ text: [UInt8], _ encoding: PositionEncoding) {
    let places = boundaries(text, encoding)
    var least = 0
    var wrong: Int?
    var expected: [Edit] = []
    for (index, edit) in edits.enumerated() {
        guard edit.start >= least, edit.start <= edit.end, let start = places[edit.start], let end = places[edit.end] else {
            wrong = index
            break
        }
        expected.append(Edit(start: start, end: end, replacement: edit.text))
        least = edit.end
    }
    do {
        let bytes = try Positions.bytes(of: edits, in: text, encoding: encoding)
        precondition(wrong == nil && bytes == expected, "offsets are the counted ones")
        precondition(Positions.stated(bytes, in: text, encoding: encoding) == edits, "they convert back to the original ones")
    } catch {
        precondition(error.index == wrong, "the error names the first invalid edit")
    }
    let units = Positions.places(ofBytes: places.values.sorted(), in: text)
    let own = units.map { encoding == .utf8 ? $0.utf8 : encoding == .utf16 ? $0.utf16 : $0.utf32 }
    precondition(own == places.keys.sorted(), "the offsets by bytes are those by units")
}
