import Console

/// The file of a folder that lists what is no note: a pattern of `fnmatch` in each line, as for `--exclude`. Empty lines,
/// and lines that begin with `#`, do not count.
package enum IgnoreFile {
    static let name = Array(".notesdignore".utf8)
    /// The rest of a longer file does not count.
    private static let bytesMax = 65_536

    /// The patterns; none if there is no such file, or if it cannot be read.
    package static func patterns(in tree: FileTree) -> [String] {
        guard let file = try? tree.file(name), let text = try? file.descriptor.readAll(bytesMax: bytesMax) else { return [] }
        let lines = text.split(separator: UInt8(ascii: "\n")).compactMap { String(validating: $0, as: UTF8.self) }
        return lines.map { $0.last == "\r" ? String($0.dropLast()) : $0 }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
