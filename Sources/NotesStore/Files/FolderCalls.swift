/// A folder of files.
package enum Subfolder: CaseIterable, Sendable {
    /// The bytes of the store's files.
    case files
    /// Uploads.
    case parts
    /// Bytes that no longer had their hash.
    case damaged

    /// The path in the store's directory.
    package var path: String {
        switch self {
        case .files: "files"
        case .parts: "files/part"
        case .damaged: "files/damaged"
        }
    }
}

/// An entry of a folder.
package struct FolderEntry: Hashable, Sendable {
    package let name: String
    package let bytes: Int
    /// Whether it is a plain file.
    package let isPlain: Bool
    /// Whether nobody may write to it.
    package let isProtected: Bool
    /// When its bytes changed last, in seconds since 1970.
    package let changed: Int

    package init(name: String, bytes: Int, isPlain: Bool, isProtected: Bool, changed: Int) {
        (self.name, self.bytes, self.isPlain) = (name, bytes, isPlain)
        (self.isProtected, self.changed) = (isProtected, changed)
    }
}

/// What the system knows of an open file.
package struct FileStatus: Hashable, Sendable {
    package let bytes: Int
    /// The number of its names.
    package let names: Int
    /// Whether nobody may write to it.
    package let isProtected: Bool

    package init(bytes: Int, names: Int, isProtected: Bool) {
        (self.bytes, self.names, self.isProtected) = (bytes, names, isProtected)
    }
}

/// Why a call of the system failed.
package enum FolderCallFault: Error, Hashable {
    /// The name does not exist.
    case missing
    /// The new name exists.
    case exists
    /// The disk or the quota has no room. The text is that of the system.
    case noRoom(String)
    case failed(String)
}

/// The calls of the system that `FileFolder` makes.
///
/// None follows a symbolic link in the folders. Names and contents are durable only after they are synced.
/// Descriptors are open until `close`.
package protocol FolderCalls: AnyObject {
    /// Makes a folder that is missing (mode 0700), makes its name durable, and opens it for the calls below.
    func make(_ folder: Subfolder) throws(FolderCallFault)
    /// The entries of a folder, in any order.
    func entries(of folder: Subfolder) throws(FolderCallFault) -> [FolderEntry]
    /// Opens a plain file for reading.
    func open(_ name: String, in folder: Subfolder) throws(FolderCallFault) -> Int32
    /// Opens a plain file for reading and writing, and makes it if it is missing (mode 0600).
    func openForWriting(_ name: String, in folder: Subfolder) throws(FolderCallFault) -> Int32
    func close(_ file: Int32)
    func status(of file: Int32) throws(FolderCallFault) -> FileStatus
    /// Reads `count` bytes from an offset; fewer only if the file ends before.
    func read(_ count: Int, at offset: Int, from file: Int32) throws(FolderCallFault) -> [UInt8]
    /// Writes all bytes at an offset. If it throws, it may have written some.
    func write(_ bytes: ArraySlice<UInt8>, at offset: Int, to file: Int32) throws(FolderCallFault)
    func truncate(_ file: Int32, to bytes: Int) throws(FolderCallFault)
    /// Makes the bytes of a file durable. After a failure, a further call may succeed although bytes are lost.
    func sync(_ file: Int32) throws(FolderCallFault)
    /// Gives a file the mode 0400.
    func protect(_ file: Int32) throws(FolderCallFault)
    /// Gives a file a further name in another folder. Throws `exists` if the name is in use.
    func link(_ name: String, in folder: Subfolder, to other: String, in target: Subfolder) throws(FolderCallFault)
    /// Moves a file to another folder, under the same name, and replaces what has the name there.
    func move(_ name: String, from folder: Subfolder, to target: Subfolder) throws(FolderCallFault)
    func remove(_ name: String, from folder: Subfolder) throws(FolderCallFault)
    /// Makes the names in a folder durable.
    func sync(_ folder: Subfolder) throws(FolderCallFault)
    /// The bytes that this user can still write to the disk.
    func freeBytes() throws(FolderCallFault) -> Int
}
