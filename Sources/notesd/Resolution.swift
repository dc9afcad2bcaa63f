/// Settings with nothing left open: options before environment before file before defaults.
struct Resolution: Hashable, Sendable {
    let settings: Settings
    let socket: String
    let data: String
    /// The configuration file that was read; nil where there is none.
    let config: String?
    /// Whether clients find the socket without being told.
    let isSocketDefault: Bool

    /// - Parameter readFile: the file's bytes; nil where there is none; throws what is in the way of reading one that is there.
    init(
        options: Options, environment: Environment, readFile: (String) throws(Failure) -> [UInt8]?
    ) throws(Failure) {
        var settings = Settings()
        config = try Self.readConfig(options, environment, readFile, into: &settings)
        guard let socket = options.socket ?? environment["NOTESD_SOCKET"] ?? settings.socket ?? environment.defaultSocket else {
            throw Failure(
                "there is no place for the socket: XDG_RUNTIME_DIR is not set to an absolute path. Set it, or name a socket with "
                    + "--socket PATH or NOTESD_SOCKET", .usage)
        }
        guard let data = options.data ?? environment["NOTESD_DATA"] ?? settings.data ?? environment.defaultData else {
            throw Failure(
                "there is no place for the notes: neither XDG_DATA_HOME nor HOME is set to an absolute path. Set one, or name a "
                    + "directory with --data DIR or NOTESD_DATA", .usage)
        }
        self.settings = settings
        self.socket = socket
        self.data = data
        isSocketDefault = socket == environment["NOTESD_SOCKET"] ?? environment.defaultSocket
    }

    /// A file that was named must be there; the default one need not.
    private static func readConfig(
        _ options: Options, _ environment: Environment, _ readFile: (String) throws(Failure) -> [UInt8]?,
        into settings: inout Settings
    ) throws(Failure) -> String? {
        let named = options.config ?? environment["NOTESD_CONFIG"]
        guard let path = named ?? environment.defaultConfig else { return nil }
        guard let bytes = try readFile(path) else {
            guard named == nil else { throw Failure("\(path): there is no such file", .configuration) }
            return nil
        }
        try SettingsFile.read(bytes, at: path, into: &settings)
        return path
    }
}
