import Glibc
import NotesModel

/// The system's database of users and groups. Asking may take as long as a directory server takes, so it is not asked on an event loop.
enum UserDatabase {
    /// The user's name; the number where the database has none, or one that is not UTF-8.
    static func name(of user: UInt32) -> ByteString {
        var entry = passwd()
        let name: ByteString? = ask { room, roomBytes, found in
            let code = getpwuid_r(user, &entry, room, roomBytes, &found)
            return (code, code == 0 ? entry.pw_name.flatMap { ByteString(checkedUTF8: bytes(of: $0)) } : nil)
        }
        return name ?? ByteString(String(user))
    }

    static func user(named name: String) -> Found {
        var entry = passwd()
        return find { room, roomBytes, found in (getpwnam_r(name, &entry, room, roomBytes, &found), entry.pw_uid) }
    }

    static func group(named name: String) -> Found {
        var entry = Glibc.group()
        return find { room, roomBytes, found in (getgrnam_r(name, &entry, room, roomBytes, &found), entry.gr_gid) }
    }

    /// What the database says of a name.
    enum Found: Hashable {
        case id(UInt32)
        case nothing
        /// It could not be asked: a directory server is away, mostly.
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
        // What `getpwnam(3)` lists for a name that is not there.
        return [0, ENOENT, ESRCH, EBADF, EPERM].contains(code) ? .nothing : .unknown
    }

    /// Asks with more and more room for what the entry refers to, such as all members of a group.
    ///
    /// - Parameter question: gives the call's result, and what is wanted of the entry, which is looked at only if one was found.
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
