import TOMLKit

/// Parser of configuration files. It reports every unknown key and invalid value and ignores none.
enum SettingsFile {
    /// Reads a configuration file into the layers.
    ///
    /// - Parameters:
    ///   - bytes: the whole content of the file.
    ///   - path: the path of the file, for messages.
    /// - Throws: `ExitFailure` with the path and, for invalid UTF-8 or TOML, the line.
    static func read(_ bytes: [UInt8], at path: String, into layers: inout SettingLayers) throws(ExitFailure) {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw ExitFailure("\(path):\(line(ofFirstFault: bytes)): not UTF-8 text", .configuration)
        }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ExitFailure(
                "\(path):\(error.source.begin.line):\(error.source.begin.column): \(error.description)", .configuration)
        } catch {
            throw ExitFailure("\(path): \(error)", .configuration)
        }
        do {
            try read(table, below: [], from: .file(path), into: &layers)
        } catch {
            throw ExitFailure("\(path): \(error.message)", .configuration)
        }
    }

    private static func read(
        _ table: TOMLTable, below prefix: [String], from source: SettingSource, into layers: inout SettingLayers
    ) throws(SettingFault) {
        for name in table.keys {
            let path = prefix + [name]
            let key = path.joined(separator: ".")
            guard let value = table[name] else { throw Setting.unknown(key) }
            if let setting = Setting.all.first(where: { $0.path == path }) {
                try layers.take(RawSetting(value), for: setting, from: source)
            } else if Setting.all.contains(where: { $0.path.count > path.count && $0.path.starts(with: path) }) {
                guard let inner = value.table else {
                    throw SettingFault(message: "\(key): must be a table, but is \(RawSetting(value).noun)")
                }
                try read(inner, below: path, from: source, into: &layers)
            } else {
                throw Setting.unknown(key)
            }
        }
    }

    /// Number of the first line, counted from 1, that is invalid UTF-8 or contains a NUL byte.
    private static func line(ofFirstFault bytes: [UInt8]) -> Int {
        var line = 1
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if part.contains(0) || String(validating: part, as: UTF8.self) == nil { return line }
            line += 1
        }
        return line
    }
}
