import Glibc
import NoteText

/// The system's database of users and groups. A lookup may block on a directory server, so it must
/// not run on an event loop.
enum UserDatabase {
    /// Name of a user, or the id in digits if there is no name or it is not UTF-8.
    static func name(of user: UInt32) -> ByteString {
        var entry = passwd()
        let name: ByteString? = ask { room, roomBytes, found in
            let code = getpwuid_r(user, &entry, room, roomBytes, &found)
            return (code, code == 0 ? entry.pw_name.flatMap { ByteString(checkedUTF8: bytes(of: $0)) } : nil)
        }
        return name ?? ByteString(String(user))
    }

    /// Looks up the id of a user.
    static func user(named name: String) -> Found {
        var entry = passwd()
        return find { room, roomBytes, found in (getpwnam_r(name, &entry, room, roomBytes, &found), entry.pw_uid) }
    }

    /// Looks up the id of a group.
    static func group(named name: String) -> Found {
        var entry = Glibc.group()
        return find { room, roomBytes, found in (getgrnam_r(name, &entry, room, roomBytes, &found), entry.gr_gid) }
    }

    /// Result of a lookup.
    enum Found: Hashable {
        case id(UInt32)
        /// The database has no such name.
        case nothing
        /// The lookup failed, usually because a directory server is unavailable.
        case unknown
    }

    private static func find<Entry>(
        _ question: (UnsafeMutablePointer<CChar>, Int, inout UnsafeMutablePointer<Entry>?) -> (Int32, UInt32?)
    ) -> Found {
        var code: Int32 = 0
        let id: UInt32? = ask { room, roomBytes, found in
            let answer = question(room, roomBytes, &found)
            code = answer.0
            return answer
        }
        if let id { return .id(id) }
        // The codes that `getpwnam(3)` lists for a name that does not exist.
        return [0, ENOENT, ESRCH, EBADF, EPERM].contains(code) ? .nothing : .unknown
    }

    /// Calls a lookup function with larger and larger buffers, 16 KiB to 4 MiB, until the data of
    /// the entry fits, such as all members of a group.
    ///
    /// - Parameter question: makes the call with a buffer. Returns its result code and the wanted
    ///   value of the entry, which is used only if an entry was found.
    /// - Returns: the value; nil if there is no entry or the call failed.
    private static func ask<Entry, Value>(
        _ question: (UnsafeMutablePointer<CChar>, Int, inout UnsafeMutablePointer<Entry>?) -> (Int32, Value?)
    ) -> Value? {
        var size = 16 << 10
        while size <= 4 << 20 {
            var room = [CChar](repeating: 0, count: size)
            var found: UnsafeMutablePointer<Entry>?
            let (code, value) = question(&room, room.count, &found)
            guard code == ERANGE else { return code == 0 && found != nil ? value : nil }
            size *= 4
        }
        return nil
    }

    private static func bytes(of text: UnsafeMutablePointer<CChar>) -> [UInt8] {
        UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
    }
}
