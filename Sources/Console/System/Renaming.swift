import Glibc

/// `renameat2` with a flag. The C library has the function, but the Swift module does not export it.
///
/// Each function returns 0 or an `errno`; `isUnsupported` recognises a file system that lacks the
/// operation.
package enum Renaming {
    private typealias Function = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    private static let function = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Function.self) }
    /// `RENAME_NOREPLACE` of `<linux/fs.h>`.
    private static let noReplaceFlag: UInt32 = 1
    /// `RENAME_EXCHANGE` of `<linux/fs.h>`.
    private static let exchangeFlag: UInt32 = 2

    /// Exchanges two names in one directory. The last event that a watch of the folder gets is that
    /// `one` was moved to: a program that watches that name finds that it is there again.
    package static func exchange(_ one: [UInt8], _ other: [UInt8], in folder: Int32) -> Int32 {
        call(one, other, in: folder, flag: exchangeFlag)
    }

    /// Renames a file unless the new name is taken.
    package static func move(_ from: [UInt8], to new: [UInt8], in folder: Int32) -> Int32 {
        call(from, new, in: folder, flag: noReplaceFlag)
    }

    /// Renames a file over whatever has the new name.
    package static func replace(_ from: [UInt8], over new: [UInt8], in folder: Int32) -> Int32 {
        from.withCPath { from in new.withCPath { new in renameat(folder, from, folder, new) } } == 0 ? 0 : errno
    }

    package static func isUnsupported(_ number: Int32) -> Bool {
        [EINVAL, ENOSYS, EOPNOTSUPP].contains(number)
    }

    private static func call(_ from: [UInt8], _ to: [UInt8], in folder: Int32, flag: UInt32) -> Int32 {
        guard let function else { return ENOSYS }
        return from.withCPath { from in to.withCPath { to in function(folder, from, folder, to, flag) } } == 0 ? 0 : errno
    }
}
