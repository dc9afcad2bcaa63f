import NotesModel
package import StrictJSON

/// The devices that may use the page, and the links with which further ones sign in.
package struct DeviceBook: Hashable, Sendable {
    package private(set) var devices: [Device] = []
    private(set) var links: [SignInLink] = []
    /// Where the running page is, such as `http://127.0.0.1:7683`; nil if none has run.
    package var address: String?

    /// Most devices, and most links that were not used.
    static let devicesMax = 100
    /// Longest name of a device, in bytes.
    package static let nameBytesMax = 64

    package init() {}

    /// Adds a link.
    ///
    /// - Parameters:
    ///   - key: 32 random bytes.
    ///   - name: the name of the device; nil for one that the user chooses when it signs in.
    /// - Returns: false if there are too many devices.
    package mutating func add(link key: [UInt8], name: String?, _ rights: DeviceRights, at now: Int64) -> Bool {
        removeExpired(at: now)
        guard devices.count + links.count < Self.devicesMax else { return false }
        links.append(SignInLink(key: SHA256.hash(of: key), name: name, rights: rights, expires: now + SignInLink.minutesMax * 60))
        return true
    }

    /// The name of a guest, or of a link for one, that must be revoked before a link with these rights is added: one of them
    /// would type in the note, and the other see its pictures. Nil if there is none.
    package func guest(against rights: DeviceRights, at now: Int64) -> String? {
        devices.first { $0.isValid(at: now) && $0.rights.exclude(rights) }?.name
            ?? links.first { $0.expires > now && $0.rights.exclude(rights) }?.name
    }

    /// Signs a device in. The link is used up.
    ///
    /// - Parameters:
    ///   - key: the key of the link.
    ///   - name: the name that the user chose, if the link names none.
    ///   - cookie: 32 random bytes.
    /// - Returns: the device; nil if there is no such link.
    package mutating func signIn(key: [UInt8], name: String?, cookie: [UInt8], address: String, at now: Int64) -> Device? {
        removeExpired(at: now)
        let hash = SHA256.hash(of: key)
        guard let place = links.firstIndex(where: { Secret.areEqual($0.key, hash) }) else { return nil }
        let link = links.remove(at: place)
        let wanted = link.name ?? name.flatMap(Self.name) ?? (link.rights.isGuest ? "guest" : "browser")
        let device = Device(
            name: unused(wanted), rights: link.rights, cookie: SHA256.hash(of: cookie), signedIn: now, used: now, address: address
        )
        devices.append(device)
        return device
    }

    /// The device that has a cookie.
    package func device(cookie: [UInt8], at now: Int64) -> Device? {
        let hash = SHA256.hash(of: cookie)
        return devices.first { Secret.areEqual($0.cookie, hash) && $0.isValid(at: now) }
    }

    /// Notes that a device was used.
    ///
    /// - Returns: whether that was not known.
    package mutating func use(_ device: Device, from address: String, at now: Int64) -> Bool {
        guard let place = devices.firstIndex(where: { $0.cookie == device.cookie }) else { return false }
        guard now >= devices[place].used + 3_600 || devices[place].address != address else { return false }
        (devices[place].used, devices[place].address) = (now, address)
        return true
    }

    /// Removes a device, and links for a device of this name.
    ///
    /// - Returns: false if there was neither.
    package mutating func revoke(_ name: String) -> Bool {
        let before = devices.count + links.count
        devices.removeAll { $0.name == name }
        links.removeAll { $0.name == name }
        return devices.count + links.count < before
    }

    /// Removes the device that signs out.
    package mutating func signOut(_ device: Device) { devices.removeAll { $0.cookie == device.cookie } }

    private mutating func removeExpired(at now: Int64) {
        links.removeAll { $0.expires <= now }
        devices.removeAll { !$0.isValid(at: now) }
    }

    /// A name that a user typed, without what a terminal or a label cannot show; nil if nothing is left.
    package static func name(_ typed: String) -> String? {
        var name = ""
        for scalar in typed.unicodeScalars where !isHidden(scalar) && scalar != "/" {
            guard name.utf8.count + UTF8.width(scalar) <= nameBytesMax else { break }
            name.unicodeScalars.append(scalar)
        }
        name = String(name.drop { $0 == " " })
        while name.last == " " { name.removeLast() }
        return name.isEmpty ? nil : name
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The name, with a number if another device has it.
    private func unused(_ name: String) -> String {
        let names = Set(devices.map(\.name))
        guard names.contains(name) else { return name }
        let number = (2...).first { !names.contains("\(name) \($0)") } ?? 0
        return "\(name) \(number)"
    }
}

// MARK: The file

extension DeviceBook {
    /// Reads what `json` wrote; nil for anything else.
    init?(parsing bytes: [UInt8]) {
        guard let root = try? JSONDocument(parsing: bytes, depthMax: 6).root,
            let devices = root["devices"].map({ $0.elements.map(Device.init(reading:)) }),
            let links = root["links"].map({ $0.elements.map(SignInLink.init(reading:)) }),
            !devices.contains(nil), !links.contains(nil)
        else { return nil }
        self.devices = devices.compactMap { $0 }
        self.links = links.compactMap { $0 }
        address = root["address"]?.text
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { book in
            if let address { book.member("address", address) }
            book.name("devices")
            book.array(of: devices) { $1.write(to: &$0) }
            book.name("links")
            book.array(of: links) { $1.write(to: &$0) }
        }
        writer.endLine()
        return writer.bytes
    }
}

extension Device {
    init?(reading value: JSONValue) {
        guard let name = value["name"]?.text, let rights = DeviceRights(reading: value),
            let cookie = value["cookie"]?.text.flatMap(Secret.bytes(hexadecimal:)),
            let signedIn = value["signedIn"]?.integer, let used = value["used"]?.integer,
            let address = value["from"]?.text
        else { return nil }
        self.init(name: name, rights: rights, cookie: cookie, signedIn: signedIn, used: used, address: address)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { device in
            device.member("name", name)
            rights.write(to: &device)
            device.member("cookie", Secret.hexadecimal(cookie))
            device.member("signedIn", signedIn)
            device.member("used", used)
            device.member("from", address)
        }
    }
}

extension SignInLink {
    init?(reading value: JSONValue) {
        guard let rights = DeviceRights(reading: value),
            let key = value["key"]?.text.flatMap(Secret.bytes(hexadecimal:)),
            let expires = value["expires"]?.integer
        else { return nil }
        self.init(key: key, name: value["name"]?.text, rights: rights, expires: expires)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { link in
            if let name { link.member("name", name) }
            rights.write(to: &link)
            link.member("key", Secret.hexadecimal(key))
            link.member("expires", expires)
        }
    }
}

extension DeviceRights {
    init?(reading value: JSONValue) {
        guard let isReadOnly = value["readOnly"]?.bool else { return nil }
        self.isReadOnly = isReadOnly
        until = value["until"]?.integer
        hasPictures = value["pictures"]?.bool ?? false
        if let text = value["note"]?.text {
            guard let note = NoteID(parsing: text.utf8) else { return nil }
            self.note = note
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.member("readOnly", isReadOnly)
        if let note { writer.member("note", "\(note)") }
        if let until { writer.member("until", until) }
        if hasPictures { writer.member("pictures", true) }
    }
}

extension JSONValue {
    /// The string; nil for any other value.
    package var text: String? { utf8.map { String(decoding: $0, as: UTF8.self) } }
}
