package import NoteText
import NotesModel

/// A file whose bytes are being compared with its hash.
package struct FileCheck {
    package let hash: FileHash
    var rehash = FileFolder.Rehash()

    package init(_ hash: FileHash) {
        self.hash = hash
    }
}

extension FileFolder {
    /// Reads bytes of a file; fewer if it ends before. Does not compare the hash.
    ///
    /// - Throws: `missing` if the file is not there; `failed` if it cannot be read. Its bytes are lost then, so call
    ///   `moveToDamaged`.
    package func read(_ hash: FileHash, from offset: Int, count: Int) throws(FileFault) -> [UInt8] {
        guard hash != .ofNothing else { return [] }
        let name = "\(hash)"
        let file = try open(name, in: .files)
        defer { calls.close(file) }
        return try read(max(0, count), at: max(0, offset), from: file, name, .files)
    }

    /// The size of a file; nil if it is not there.
    package func size(of hash: FileHash) throws(FileFault) -> Int? {
        guard hash != .ofNothing else { return 0 }
        let file: Int32
        do throws(FileFault) { file = try open("\(hash)", in: .files) } catch {
            if error == .missing { return nil }
            throw error
        }
        defer { calls.close(file) }
        return try status(of: file, "\(hash)", .files).bytes
    }

    /// Rereads a file and compares its hash. A file with another hash, or that cannot be read, is moved to `damaged`.
    ///
    /// - Parameter bytesMax: the bytes that this call rereads at most.
    /// - Returns: Whether the file is there and has its hash; nil if the comparison has not ended.
    package func check(_ check: inout FileCheck, bytesMax: Int) throws(FileFault) -> Bool? {
        guard check.hash != .ofNothing else { return true }
        let name = "\(check.hash)"
        let file: Int32
        do throws(FileFault) { file = try open(name, in: .files) } catch {
            if error == .missing { return false }
            throw error
        }
        defer { calls.close(file) }
        let isWhole = try? advance(&check.rehash, over: file, name, .files, bytesMax: bytesMax)
        if isWhole == false { return nil }
        if isWhole == true, check.rehash.hash == check.hash { return true }
        try moveToDamaged(check.hash)
        return false
    }

    /// Rereads a whole file at once. See `check(_:bytesMax:)`.
    package func check(_ hash: FileHash) throws(FileFault) -> Bool {
        var check = FileCheck(hash)
        while true {
            if let result = try self.check(&check, bytesMax: .max) { return result }
        }
    }

    /// Moves a file to `damaged`, so that it is missing and can be uploaded again. Does nothing if it is not there.
    package func moveToDamaged(_ hash: FileHash) throws(FileFault) {
        try demandSynced()
        let name = "\(hash)"
        do throws(FolderCallFault) { try calls.move(name, from: .files, to: .damaged) } catch {
            if error == .missing { return }
            throw FileFault(error, "\(place(name, .files)) cannot be moved to \(Subfolder.damaged.path)")
        }
        for folder in [Subfolder.damaged, .files] { try syncNames(of: folder) }
    }
}
