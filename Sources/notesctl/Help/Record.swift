/// A kind of object that `--json` prints.
struct Record {
    /// A plural noun for the objects.
    let name: String
    let fields: [Field]

    struct Field {
        let name: String
        let meaning: String
    }

    init(_ name: String, _ fields: KeyValuePairs<String, String>) {
        self.name = name
        self.fields = fields.map { Field(name: $0.key, meaning: $0.value) }
    }
}
