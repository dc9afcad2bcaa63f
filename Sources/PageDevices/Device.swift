package import NotesModel

/// A browser that may use the page.
package struct Device: Hashable, Sendable {
    /// Its name, such as `ada's phone`. No two devices have the same.
    package let name: String
    package let rights: DeviceRights
    /// SHA-256 of its cookie.
    package let cookie: [UInt8]
    /// When it was signed in, in seconds since 1970.
    package let signedIn: Int64
    /// When it was last used, to an hour, in seconds since 1970.
    package var used: Int64
    /// The address from which it was last used.
    package var address: String

    /// How many days a device may be unused before it has to sign in again.
    static let idleDaysMax: Int64 = 90
    /// The same in seconds.
    package static let idleMax = idleDaysMax * 86_400

    /// Whether it may use the page at a time.
    package func isValid(at now: Int64) -> Bool { now < used + Self.idleMax && now < rights.until ?? .max }
}

/// The rights of a device.
package struct DeviceRights: Hashable, Sendable {
    /// Whether it may only read.
    package var isReadOnly = false
    /// The only note that it reaches, for a guest; nil for all notes.
    package var note: NoteID?
    /// When its rights end, in seconds since 1970; nil for never.
    package var until: Int64?
    /// Whether a guest may see the pictures in the text of the note. One who types gets none.
    package var hasPictures = false

    package init(isReadOnly: Bool = false, note: NoteID? = nil, until: Int64? = nil, hasPictures: Bool = false) {
        (self.isReadOnly, self.note, self.until, self.hasPictures) = (isReadOnly, note, until, hasPictures)
    }

    /// Whether they are for a guest, who reaches one note.
    package var isGuest: Bool { note != nil }

    /// Whether they are for a guest who sees the pictures of the note.
    package var isGuestWithPictures: Bool { isGuest && isReadOnly && hasPictures }

    /// Whether other rights exclude these: a guest who types could bring any picture into the text, and so show it to a guest
    /// who sees the pictures.
    func exclude(_ other: DeviceRights) -> Bool {
        guard let note, note == other.note else { return false }
        return isGuestWithPictures && !other.isReadOnly || other.isGuestWithPictures && !isReadOnly
    }
}

/// A link with which one device signs in.
package struct SignInLink: Hashable, Sendable {
    /// SHA-256 of its key.
    let key: [UInt8]
    /// The name of the device; nil for one that the user chooses.
    let name: String?
    let rights: DeviceRights
    /// When it stops to work, in seconds since 1970.
    let expires: Int64

    /// How many minutes a link works.
    static let minutesMax: Int64 = 10
}
