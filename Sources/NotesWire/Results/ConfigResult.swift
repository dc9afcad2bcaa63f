package import NotesModel

/// Of `daemon.config`: the settings that hold, and where each was said.
package struct ConfigResult: WireResult {
    package var settings: [SettingObject]

    package init(settings: [SettingObject]) {
        self.settings = settings
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("settings")
            result.array(of: settings) { $1.write(to: &$0) }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        settings = try value.required("settings", Param.array(SettingObject.init(reading:)))
    }
}

/// One setting of the daemon, for people.
package struct SettingObject: Hashable, Sendable {
    package var key: ByteString
    /// As it would stand in the configuration file; nil where nothing was said, and nothing but the daemon's own choice holds.
    package var value: ByteString?
    /// A file, a variable of the environment, an option, or "default".
    package var origin: ByteString
    /// Whether the daemon takes it over while it runs.
    package var isReloadable: Bool
    /// What the next start will take over; nil where that is what holds.
    package var pending: ByteString?

    package init(key: ByteString, value: ByteString?, origin: ByteString, isReloadable: Bool, pending: ByteString? = nil) {
        self.key = key
        self.value = value
        self.origin = origin
        self.isReloadable = isReloadable
        self.pending = pending
    }

    /// As it is in the result.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { object in
            object.member("key", key)
            object.member("value", value)
            object.member("source", origin)
            object.member("reloadable", isReloadable)
            object.member("pending", pending)
        }
    }

    fileprivate init(reading value: JSONValue) throws(ParamFault) {
        key = try value.required("key", Param.string)
        self.value = try value.required("value", Param.nullable(Param.string))
        origin = try value.required("source", Param.string)
        isReloadable = try value.required("reloadable", Param.bool)
        pending = try value.required("pending", Param.nullable(Param.string))
    }
}
