/// The names of the copies that programs for synchronisation make if two computers have changed a file.
package enum ConflictCopy {
    /// The path of the file of which a file is a conflict copy; nil if it is none.
    ///
    /// Syncthing makes `a.sync-conflict-20261126-081407-ABCDEFG.md` of `a.md`; Dropbox and Nextcloud make
    /// `a (conflicted copy 2026-11-26).md` and `a (Ada's conflicted copy 2026-11-26).md`.
    package static func origin(of path: [UInt8]) -> [UInt8]? {
        let start = (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
        let name = Array(path[start...])
        guard let point = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let (stem, ending) = (Array(name[..<point]), Array(name[point...]))
        let length = syncthing(stem) ?? bracketed(stem)
        guard let length, length > 0 else { return nil }
        return Array(path[..<start]) + stem[..<length] + ending
    }

    private static func syncthing(_ stem: [UInt8]) -> Int? {
        let mark = Array(".sync-conflict-".utf8)
        guard let start = position(of: mark, in: stem) else { return nil }
        return stem[(start + mark.count)...].first.map { (0x30...0x39).contains($0) } == true ? start : nil
    }

    private static func bracketed(_ stem: [UInt8]) -> Int? {
        guard stem.last == UInt8(ascii: ")"), let mark = position(of: Array("conflicted copy".utf8), in: stem),
            let bracket = stem[..<mark].lastIndex(of: UInt8(ascii: "(")), bracket > 0, stem[bracket - 1] == UInt8(ascii: " ")
        else { return nil }
        return bracket - 1
    }

    /// The position of the last occurrence.
    private static func position(of part: [UInt8], in name: [UInt8]) -> Int? {
        guard name.count >= part.count else { return nil }
        return (0...(name.count - part.count)).last { name[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
