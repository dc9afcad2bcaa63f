import CSQLite
import Glibc
import Synchronization

/// Writes zeros in place of the bytes that a page of a database does not use.
///
/// A page of a b-tree begins with the places of its cells; the cells are at its end. Where SQLite moves
/// cells to another page, it writes the page anew, and what was in the gap between stays, whatever
/// `secure_delete` says. So deleted bytes would stay in the file until the page fills up again. The log
/// and SQLite's memory still have them until the log is emptied and `Database.forgetPages` is called.
///
/// The file system of SQLite calls this for each page that goes into a database file. The log is copied
/// page by page, so a page there is whole.
///
/// Source: "Database File Format" of SQLite, section 1.6.
package enum PageGaps {
    /// Most pages of a database, 128 GiB of the usual 4 KiB. Other pages than those of b-trees begin with
    /// the number of a page, whose first byte must not be 2, 5, 10 or 13, as theirs are.
    package static let pagesMax = 1 << 25 - 1

    /// The unused bytes of a page; nil if the page is not of a b-tree, or damaged.
    ///
    /// - Parameters:
    ///   - page: a whole page of a database that has at most `pagesMax` pages and no pointer map.
    ///   - isFirst: whether it is the file's first page, which begins with the file's header.
    static func gap(of page: UnsafeRawBufferPointer, isFirst: Bool) -> Range<Int>? {
        let header = isFirst ? 100 : 0
        guard page.count >= 512 else { return nil }
        let isLeaf: Bool
        switch page[header] {
        case 2, 5: isLeaf = false
        case 10, 13: isLeaf = true
        default: return nil
        }
        func number(at offset: Int) -> Int { Int(page[header + offset]) << 8 | Int(page[header + offset + 1]) }
        let cells = number(at: 3)
        let content = number(at: 5) == 0 ? 65_536 : number(at: 5)
        let start = header + (isLeaf ? 8 : 12) + 2 * cells
        return start <= content && content <= page.count ? start..<content : nil
    }

    /// Whether all bytes are 0.
    private static func isClear(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, bytes.count > 1 else { return bytes.allSatisfy { $0 == 0 } }
        return bytes[0] == 0 && memcmp(start, start + 1, bytes.count - 1) == 0
    }

    // MARK: The file system

    /// The name of a file system for `sqlite3_open_v2`: SQLite's own, but with zeros in the gaps of what it
    /// writes to database files, and with errors where locks fail (`IndexLocks`). If SQLite has no memory to
    /// register it, opening a file with it fails.
    static let fileSystem: String = {
        let name = "gapless"
        guard let system = sqlite3_vfs_find(nil) else { return name }
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        own.initialize(to: system.pointee)
        own.pointee.zName = UnsafePointer(strdup(name))
        own.pointee.pNext = nil
        own.pointee.xOpen = { _, path, file, flags, opened in
            guard let system = sqlite3_vfs_find(nil) else { return SQLITE_CANTOPEN }
            let code = system.pointee.xOpen(system, path, file, flags, opened)
            if code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file, let methods = file.pointee.pMethods {
                file.pointee.pMethods = UnsafeRawPointer(FileMethods.clearing(over: methods))?
                    .assumingMemoryBound(to: sqlite3_io_methods.self)
            }
            return code
        }
        sqlite3_vfs_register(own, 0)
        return name
    }()

    /// The methods of a file, as SQLite takes them, and after them those that they call.
    private struct FileMethods {
        var own: sqlite3_io_methods
        let system: UnsafePointer<sqlite3_io_methods>

        /// The address of the table over each of the system's, which are few. A table lives as long as the
        /// process, as a file may.
        private static let tables = Mutex<[UInt: UInt]>([:])

        static func clearing(over system: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<FileMethods>? {
            let address = tables.withLock { tables in
                let key = UInt(bitPattern: system)
                if let known = tables[key] { return known }
                let table = UnsafeMutablePointer<FileMethods>.allocate(capacity: 1)
                table.initialize(to: FileMethods(own: system.pointee, system: system))
                table.pointee.own.xWrite = { PageGaps.write($0, $1, $2, $3) }
                table.pointee.own.xShmLock = { PageGaps.lock($0, $1, $2, $3) }
                table.pointee.own.xShmMap = { PageGaps.map($0, $1, $2, $3, $4) }
                tables[key] = UInt(bitPattern: table)
                return UInt(bitPattern: table)
            }
            return UnsafePointer(bitPattern: address)
        }
    }

    /// The methods of the system for an open database file.
    private static func system(of file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafePointer<sqlite3_io_methods>? {
        guard let own = file?.pointee.pMethods else { return nil }
        return UnsafeRawPointer(own).assumingMemoryBound(to: FileMethods.self).pointee.system
    }

    /// Takes or releases locks on the index of the log.
    private static func lock(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ first: Int32, _ count: Int32, _ flags: Int32
    ) -> Int32 {
        guard let lock = system(of: file)?.pointee.xShmLock else { return SQLITE_IOERR }
        return IndexLocks.taking { lock(file, first, count, flags) }
    }

    /// Maps a part of the index of the log, whose first one is opened and locked with it.
    private static func map(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ region: Int32, _ bytes: Int32, _ extends: Int32,
        _ mapped: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Int32 {
        guard let map = system(of: file)?.pointee.xShmMap else { return SQLITE_IOERR }
        return IndexLocks.taking { map(file, region, bytes, extends, mapped) }
    }

    /// Writes bytes to a database file, with zeros in the gap if they are a page of a b-tree.
    private static func write(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: sqlite3_int64
    ) -> Int32 {
        guard let system = system(of: file) else { return SQLITE_IOERR }
        let page = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        guard let gap = gap(of: page, isFirst: offset == 0), !isClear(UnsafeRawBufferPointer(rebasing: page[gap])) else {
            return system.pointee.xWrite(file, bytes, count, offset)
        }
        return withUnsafeTemporaryAllocation(byteCount: page.count, alignment: 8) { copy in
            copy.copyMemory(from: page)
            copy[gap].initializeMemory(as: UInt8.self, repeating: 0)
            return system.pointee.xWrite(file, copy.baseAddress, count, offset)
        }
    }
}
