import NotesModel

@testable import FolderSync

extension FileTree {
    /// Writes one text to a file.
    ///
    /// - Returns: whether the file was written.
    @discardableResult
    func write(
        _ text: [UInt8], to path: [UInt8], modified: Timestamp? = nil, over expected: Look? = nil, serial: Int,
        isLeasing: Bool = false
    ) throws -> Bool {
        try place(try draft(text, of: path, modified: modified, serial: serial), over: expected, isLeasing: isLeasing) == .written
    }
}
