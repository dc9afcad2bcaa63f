import NotesServer
import TOMLKit

/// Reads the configuration file. Strict: what is not understood is refused with its place, never passed over.
enum SettingsFile {
    /// - Parameter path: of the file, for messages.
    static func read(_ bytes: [UInt8], at path: String, into settings: inout Settings) throws(Failure) {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw Failure("\(path):\(line(ofFirstFault: bytes)): this is not text in UTF-8", .configuration)
        }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw Failure("\(path):\(error.source.begin.line):\(error.source.begin.column): \(error.description)", .configuration)
        } catch {
            throw Failure("\(path): \(error)", .configuration)
        }
        do {
            try read(table, at: [], into: &settings)
            try check(settings)
        } catch {
            throw Failure("\(path): \(error.message)", .configuration)
        }
    }

    /// What is wrong, from its key on.
    private struct Fault: Error {
        let message: String
    }

    private static func read(_ table: TOMLTable, at prefix: [String], into settings: inout Settings) throws(Fault) {
        for name in table.keys {
            let path = prefix + [name]
            let key = path.joined(separator: ".")
            guard let value = table[name] else { throw unknown(key) }
            if let setting = Setting.all.first(where: { $0.path == path }) {
                try read(value, of: setting, into: &settings)
            } else if Setting.all.contains(where: { $0.path.count > path.count && $0.path.starts(with: path) }) {
                guard let inner = value.table else {
                    throw Fault(message: "\(key): is \(noun(for: value.type)), and must be a table")
                }
                try read(inner, at: path, into: &settings)
            } else {
                throw unknown(key)
            }
        }
    }

    private static func unknown(_ key: String) -> Fault {
        let nearest = Nearest.word(to: key, of: Setting.all.map(\.key))
        return Fault(message: "\(key): there is no such setting" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }

    private static func read(
        _ value: any TOMLValueConvertible, of setting: Setting, into settings: inout Settings
    ) throws(Fault) {
        func mismatch(_ wanted: String) -> Fault {
            Fault(message: "\(setting.key): is \(noun(for: value.type)), and must be \(wanted)")
        }
        func integer(_ unit: String, _ range: ClosedRange<Int>) throws(Fault) -> Int {
            let wanted = "from \(range.lowerBound) to \(range.upperBound) \(unit)"
            guard let number = value.int else { throw mismatch("an integer \(wanted)") }
            guard range.contains(number) else { throw Fault(message: "\(setting.key): is \(number), and must be \(wanted)") }
            return number
        }
        switch setting.value {
        case .path(let path, _):
            guard let text = value.string else { throw mismatch("a string") }
            guard text.hasPrefix("/") else {
                throw Fault(message: "\(setting.key): is \"\(text)\", and must be an absolute path (variables are not replaced)")
            }
            settings[keyPath: path] = text
        case .word(let path, let words):
            guard let word = value.string else { throw mismatch("a string") }
            guard words.contains(word) else {
                let nearest = Nearest.word(to: word, of: words).map { "; did you mean \"\($0)\"?" } ?? ""
                let wanted = words.joined(separator: ", ")
                throw Fault(message: "\(setting.key): is \"\(word)\", and must be one of \(wanted)\(nearest)")
            }
            settings[keyPath: path] = word
        case .integer(let path, let unit, let range):
            settings[keyPath: path] = try integer(unit, range)
        case .optionalInteger(let path, let unit, let range, _, _):
            settings[keyPath: path] = try integer(unit, range)
        }
    }

    /// What no setting can tell alone.
    private static func check(_ settings: Settings) throws(Fault) {
        let limits = settings.limits
        guard limits.lineBytesMax > limits.noteBytesMax else {
            throw Fault(
                message: "limits.line_bytes_max: is \(limits.lineBytesMax) bytes, and must be more than limits.note_bytes_max "
                    + "(\(limits.noteBytesMax)): a text is sent in one line")
        }
    }

    private static func noun(for type: TOMLType) -> String {
        switch type {
        case .table: "a table"
        case .array: "an array"
        case .string: "a string"
        case .int: "an integer"
        case .double: "a number with a fraction"
        case .bool: "true or false"
        case .date: "a date"
        case .time: "a time"
        case .dateTime: "a date with a time"
        }
    }

    /// The line, from 1, of the first byte that is no text.
    private static func line(ofFirstFault bytes: [UInt8]) -> Int {
        var line = 1
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if part.contains(0) || String(validating: part, as: UTF8.self) == nil { return line }
            line += 1
        }
        return line
    }
}
