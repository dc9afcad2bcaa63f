import NotesModel

/// Applies edits naively, on the text split into the units of the encoding.
enum Units {
    static func count(_ text: [UInt8], _ encoding: PositionEncoding) -> Int {
        let string = String(decoding: text, as: UTF8.self)
        return switch encoding {
        case .utf8: text.count
        case .utf16: string.utf16.count
        case .utf32: string.unicodeScalars.count
        }
    }

    /// Returns nil if an edit does not fit the text.
    static func apply(_ edits: [PositionedEdit], to text: [UInt8], _ encoding: PositionEncoding) -> [UInt8]? {
        switch encoding {
        case .utf8:
            return spliced(text, edits) { $0 }
        case .utf16:
            let units = Array(String(decoding: text, as: UTF8.self).utf16)
            let result = spliced(units, edits) { Array(String(decoding: $0, as: UTF8.self).utf16) }
            return result.map { Array(String(decoding: $0, as: UTF16.self).utf8) }
        case .utf32:
            let units = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
            let result = spliced(units, edits) { Array(String(decoding: $0, as: UTF8.self).unicodeScalars) }
            return result.map { scalars in
                var string = String.UnicodeScalarView()
                string.append(contentsOf: scalars)
                return Array(String(string).utf8)
            }
        }
    }

    private static func spliced<Unit>(_ units: [Unit], _ edits: [PositionedEdit], _ decode: ([UInt8]) -> [Unit]) -> [Unit]? {
        var result: [Unit] = []
        var position = 0
        for edit in edits {
            guard position <= edit.start, edit.start <= edit.end, edit.end <= units.count else { return nil }
            result += units[position..<edit.start] + decode(edit.text)
            position = edit.end
        }
        return result + units[position...]
    }
}
