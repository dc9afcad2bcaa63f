import Suggestions
import TOMLKit

/// The value that a file, a variable or an option gives a setting, before it is checked.
enum RawSetting: Hashable, Sendable {
    case text(String)
    case integer(Int)
    case words([String])
    /// A value of a type that no setting has. The string names the type for messages.
    case other(String)

    init(_ value: any TOMLValueConvertible) {
        switch value.type {
        case .string: self = value.string.map { .text($0) } ?? .other("a string")
        case .int: self = value.int.map { .integer($0) } ?? .other("an integer")
        case .array:
            let items = value.array.map { Array($0) } ?? []
            let words = items.compactMap(\.string)
            self = words.count == items.count ? .words(words) : .other("an array that contains values other than strings")
        case .table: self = .other("a table")
        case .double: self = .other("a number with a fraction")
        case .bool: self = .other("true or false")
        case .date: self = .other("a date")
        case .time: self = .other("a time")
        case .dateTime: self = .other("a date with a time")
        }
    }

    /// Reads the text of an environment variable or an option: an integer in decimal digits, or
    /// words separated by commas. Text that is not an integer stays text, which the check refuses
    /// later.
    init(_ text: String, for setting: Setting) {
        switch setting.value {
        case .path, .word: self = .text(text)
        case .integer, .optionalInteger: self = Int(text).map { .integer($0) } ?? .text(text)
        case .words:
            self = .words(text.split(separator: ",").map { String($0.trimming(while: { $0 == " " })) })
        }
    }

    /// Type of the value, with an article, for messages: "a string".
    var noun: String {
        switch self {
        case .text: "a string"
        case .integer: "an integer"
        case .words: "an array"
        case .other(let noun): noun
        }
    }
}

extension Substring {
    fileprivate func trimming(while isOut: (Character) -> Bool) -> Substring {
        var rest = drop(while: isOut)
        while let last = rest.last, isOut(last) { rest.removeLast() }
        return rest
    }
}

/// Reason why a setting refuses a value. The message begins with the key.
struct SettingFault: Error {
    let message: String
}

extension Setting {
    /// Stores a value in the settings.
    ///
    /// - Throws: `SettingFault` if the setting does not accept the value; nothing is changed then.
    func take(_ stated: RawSetting, into settings: inout Settings) throws(SettingFault) {
        switch value {
        case .path(let path, _):
            let text = try text(stated)
            guard text.hasPrefix("/") else {
                throw fault("must be an absolute path, but is \"\(text)\" (variables are not expanded)")
            }
            settings[keyPath: path] = text
        case .word(let path, let words):
            let word = try text(stated)
            guard words.contains(word) else {
                let question = Suggestions.question(word, among: words) { "\"\($0)\"" }.map { "; \($0)" } ?? ""
                throw fault("must be one of \(words.joined(separator: ", ")), but is \"\(word)\"\(question)")
            }
            settings[keyPath: path] = word
        case .integer(let path, let unit, let range):
            settings[keyPath: path] = try integer(stated, unit, range)
        case .optionalInteger(let path, let unit, let range, _, _):
            settings[keyPath: path] = try integer(stated, unit, range)
        case .words(let path, let what, let isRight, _):
            guard case .words(let words) = stated else {
                throw fault("must be an array, but is \(stated.noun); each item is \(what)")
            }
            if let wrong = words.first(where: { !isRight($0) }) {
                throw fault("each item must be \(what), but one is \"\(wrong)\"")
            }
            settings[keyPath: path] = words
        }
    }

    /// The current value in the syntax of the configuration file; nil if none is set and the
    /// environment or the code chooses one.
    func literal(in settings: Settings) -> String? {
        switch value {
        case .path(let path, _): settings[keyPath: path].map(Self.quoted)
        case .word(let path, _): Self.quoted(settings[keyPath: path])
        case .integer(let path, _, _): String(settings[keyPath: path])
        case .optionalInteger(let path, _, _, _, _): settings[keyPath: path].map { String($0) }
        case .words(let path, _, _, _): "[" + settings[keyPath: path].map(Self.quoted).joined(separator: ", ") + "]"
        }
    }

    /// Copies the value of this setting from `others` to `settings`.
    func copy(from others: Settings, to settings: inout Settings) {
        switch value {
        case .path(let path, _): settings[keyPath: path] = others[keyPath: path]
        case .word(let path, _): settings[keyPath: path] = others[keyPath: path]
        case .integer(let path, _, _): settings[keyPath: path] = others[keyPath: path]
        case .optionalInteger(let path, _, _, _, _): settings[keyPath: path] = others[keyPath: path]
        case .words(let path, _, _, _): settings[keyPath: path] = others[keyPath: path]
        }
    }

    private func fault(_ what: String) -> SettingFault {
        SettingFault(message: "\(key): \(what)")
    }

    private func text(_ stated: RawSetting) throws(SettingFault) -> String {
        guard case .text(let text) = stated else { throw fault("must be a string, but is \(stated.noun)") }
        return text
    }

    private func integer(_ stated: RawSetting, _ unit: String, _ range: ClosedRange<Int>) throws(SettingFault) -> Int {
        let wanted = "from \(range.lowerBound) to \(range.upperBound) \(unit)"
        guard case .integer(let number) = stated else { throw fault("must be an integer \(wanted), but is \(stated.noun)") }
        guard range.contains(number) else { throw fault("must be \(wanted), but is \(number)") }
        return number
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
