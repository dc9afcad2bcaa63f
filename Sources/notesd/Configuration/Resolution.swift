/// The complete configuration of a run: settings and paths after all layers are applied.
///
/// In order of precedence, highest first: options, environment variables, the configuration file,
/// the files in `conf.d` (the last by name first), defaults.
struct Resolution: Hashable, Sendable {
    /// Values and their sources.
    var layers: SettingLayers
    /// Path of the socket; nil if neither the configuration nor the environment determines one.
    /// Then `socketPath` throws.
    let socket: String?
    /// Directory of the store; nil if nothing determines one. Then `dataPath` throws.
    let data: String?
    /// Path of the configuration file that was read; nil if there is none.
    let config: String?
    /// Paths of the files in `conf.d`, in the order in which they were read.
    let dropIns: [String]
    /// Values of all settings.
    var settings: Settings { layers.settings }

    /// Access to the file system. Tests substitute their own.
    struct Reading {
        /// Returns the content of a file, or nil if it does not exist. Throws if it cannot be read.
        var file: (String) throws(ExitFailure) -> [UInt8]?
        /// Returns the names in a directory, or an empty array if it does not exist. Throws if it
        /// cannot be read.
        var directory: (String) throws(ExitFailure) -> [String]
    }

    /// Reads all files and applies all layers.
    ///
    /// - Throws: `ExitFailure` for a file that cannot be read, an unknown key or an invalid value.
    init(options: Options, environment: Environment, reading: Reading) throws(ExitFailure) {
        var layers = SettingLayers()
        let named = options.config ?? environment["NOTESD_CONFIG"]
        let path = named ?? environment.defaultConfig
        dropIns = try path.map { path throws(ExitFailure) in try Self.readDropIns(beside: path, reading, into: &layers) } ?? []
        config = try Self.readConfig(path, isNamed: named != nil, reading, into: &layers)
        try layers.take(environment)
        for assignment in options.set { try layers.take(assignment: assignment) }
        if let socket = options.socket { layers.take(option: "--socket", path: socket, for: "socket") }
        if let data = options.data { layers.take(option: "--data", path: data, for: "data") }
        try layers.check()
        self.layers = layers
        socket = layers.settings.socket ?? environment.defaultSocket
        data = layers.settings.data ?? environment.defaultData
    }

    /// Path of the socket.
    ///
    /// - Throws: `ExitFailure` with code `usage` if nothing determines one.
    func socketPath() throws(ExitFailure) -> String {
        guard let socket else {
            throw ExitFailure(
                "no path for the socket: XDG_RUNTIME_DIR is not set to an absolute path. Set it, or use --socket PATH or "
                    + "NOTESD_SOCKET", .usage)
        }
        return socket
    }

    /// Directory of the store.
    ///
    /// - Throws: `ExitFailure` with code `usage` if nothing determines one.
    func dataPath() throws(ExitFailure) -> String {
        guard let data else {
            throw ExitFailure(
                "no directory for the notes: neither XDG_DATA_HOME nor HOME is set to an absolute path. Set one, or use "
                    + "--data DIR or NOTESD_DATA", .usage)
        }
        return data
    }

    /// Reads the configuration file. Returns nil if the default file does not exist; a file that an
    /// option or variable names must exist.
    private static func readConfig(
        _ path: String?, isNamed: Bool, _ reading: Reading, into layers: inout SettingLayers
    ) throws(ExitFailure) -> String? {
        guard let path else { return nil }
        guard let bytes = try reading.file(path) else {
            guard !isNamed else { throw ExitFailure("\(path): no such file", .configuration) }
            return nil
        }
        try SettingsFile.read(bytes, at: path, into: &layers)
        return path
    }

    /// Reads `conf.d/*.toml` in the directory of the configuration file, in the byte order of the
    /// names, so that later files override earlier ones. Returns the paths.
    private static func readDropIns(
        beside config: String, _ reading: Reading, into layers: inout SettingLayers
    ) throws(ExitFailure) -> [String] {
        let directory = (config.lastIndex(of: "/").map { String(config[...$0]) } ?? "") + "conf.d"
        let names = try reading.directory(directory).filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
        var paths: [String] = []
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let path = directory + "/" + name
            guard let bytes = try reading.file(path) else { continue }
            try SettingsFile.read(bytes, at: path, into: &layers)
            paths.append(path)
        }
        return paths
    }
}

extension Resolution.Reading {
    /// Access to the real file system.
    static var files: Resolution.Reading { Resolution.Reading(file: Files.read, directory: Files.names) }
}
