/// The contract for programs: `docs/openrpc.json`, as `rpc.discover` answers it.
///
/// Written by `scripts/embed-openrpc`; change the document and run that.
package enum OpenRPC {
    package static let document = Array(text.utf8)

    private static let text = #"""
        {"openrpc":"1.3.2","info":{"title":"notesd","version":"1","description":"Plain-text notes that many editors write at\#
         once, over a Unix socket, with one JSON-RPC 2.0 object per line. docs/protocol.md specifies what this document cann\#
        ot express.","license":{"name":"Apache-2.0"}},"methods":[{"name":"session.hello","summary":"Registers the connection\#
         as a dependent. A client sends it first, and once.","paramStructure":"by-name","params":[{"name":"protocol","requir\#
        ed":true,"schema":{"type":"array","items":{"type":"integer"},"examples":[[1]]},"description":"The protocol versions \#
        that the client speaks."},{"name":"client","required":true,"schema":{"$ref":"#/components/schemas/Client"}},{"name":\#
        "label","required":false,"schema":{"$ref":"#/components/schemas/Label"}},{"name":"positionEncoding","required":false\#
        ,"schema":{"type":"array","items":{"type":"string"},"examples":[["utf-8","utf-16"]]},"description":"In order of pref\#
        erence. The daemon skips unknown values; if it knows none, it uses utf-8."}],"result":{"name":"session","schema":{"t\#
        ype":"object","properties":{"protocol":{"type":"integer"},"server":{"$ref":"#/components/schemas/Client"},"store":{"\#
        $ref":"#/components/schemas/ReplicaId"},"replica":{"$ref":"#/components/schemas/ReplicaId"},"dependent":{"type":"int\#
        eger","minimum":0},"user":{"$ref":"#/components/schemas/User"},"access":{"type":"string","enum":["read","write","adm\#
        in"]},"positionEncoding":{"$ref":"#/components/schemas/PositionEncoding"},"limits":{"$ref":"#/components/schemas/Lim\#
        its"},"capabilities":{"type":"array","items":{"type":"string"}},"cursor":{"$ref":"#/components/schemas/Cursor"}},"re\#
        quired":["protocol","server","store","replica","dependent","user","access","positionEncoding","limits","capabilities\#
        ","cursor"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"\#
        $ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/error\#
        s/internal"},{"$ref":"#/components/errors/unsupported_protocol"},{"$ref":"#/components/errors/permission_denied"},{"\#
        $ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"session.ping","summa\#
        ry":"Returns an empty object. Allowed before hello.","paramStructure":"by-name","params":[],"result":{"name":"nothin\#
        g","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"\#
        $ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/err\#
        ors/line_too_long"},{"$ref":"#/components/errors/internal"}]},{"name":"rpc.discover","summary":"Returns this documen\#
        t. Allowed before hello.","paramStructure":"by-name","params":[],"result":{"name":"document","schema":{"type":"objec\#
        t"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/\#
        components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/interna\#
        l"}]},{"name":"note.create","summary":"Creates a note.","paramStructure":"by-name","params":[{"name":"text","require\#
        d":true,"schema":{"type":"string","examples":["Hello\n"]}},{"name":"name","required":false,"schema":{"oneOf":[{"$ref\#
        ":"#/components/schemas/NoteName"},{"type":"null"}],"examples":["work/inbox"]}},{"name":"id","required":false,"schem\#
        a":{"$ref":"#/components/schemas/NoteId"},"description":"The client may choose it, so that a retry cannot create a s\#
        econd note."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"created"\#
        ,"schema":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"},"dot":{"$ref":"#/components/sch\#
        emas/Dot"},"version":{"$ref":"#/components/schemas/Version"},"replayed":{"type":"boolean"}},"required":["note"]}},"e\#
        rrors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/compone\#
        nts/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$\#
        ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/sh\#
        utting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref"\#
        :"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_too_\#
        large"},{"$ref":"#/components/errors/note_exists"},{"$ref":"#/components/errors/invalid_name"}]},{"name":"note.get",\#
        "summary":"Returns a note, now or at a version, whole or as edits from a version.","paramStructure":"by-name","param\#
        s":[{"name":"id","required":false,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"name","required":false,"\#
        schema":{"$ref":"#/components/schemas/NoteName"}},{"name":"at","required":false,"schema":{"$ref":"#/components/schem\#
        as/Version"}},{"name":"from","required":false,"schema":{"$ref":"#/components/schemas/Version"}}],"result":{"name":"s\#
        hown","schema":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"}},"required":["note"]}},"er\#
        rors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/componen\#
        ts/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$r\#
        ef":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shu\#
        tting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":\#
        "#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revis\#
        ion_gone"}],"x-exactly-one":["id","name"]},{"name":"note.list","summary":"Lists notes, sorted by name (bytes, null l\#
        ast), then id.","paramStructure":"by-name","params":[{"name":"filter","required":false,"schema":{"$ref":"#/component\#
        s/schemas/Filter"}},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default"\#
        :100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["01890a5d-ac96-774b-bc\#
        ce-b302099a8057/work/inbox"]},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"ty\#
        pe":"object","properties":{"notes":{"type":"array","items":{"$ref":"#/components/schemas/Note"}},"next":{"oneOf":[{"\#
        type":"string"},{"type":"null"}]}},"required":["notes","next"]}},"errors":[{"$ref":"#/components/errors/parse_error"\#
        },{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components\#
        /errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref\#
        ":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storag\#
        e_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"note.search","summary":"Searches notes by the\#
        ir contents, best first.","paramStructure":"by-name","params":[{"name":"query","required":true,"schema":{"$ref":"#/c\#
        omponents/schemas/SearchQuery"},"description":"Words that a note must all contain; docs/protocol.md describes the wh\#
        ole syntax."},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":100,"default":20,"ex\#
        amples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examples":["3fe5555555555555.000000000000\#
        0421"]},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properti\#
        es":{"hits":{"type":"array","items":{"$ref":"#/components/schemas/Hit"}},"next":{"oneOf":[{"type":"string"},{"type":\#
        "null"}]},"truncated":{"type":"boolean","description":"Whether more than 10,000 notes matched. The daemon finds only\#
         the newest 10,000 of them."}},"required":["hits","next","truncated"]}},"errors":[{"$ref":"#/components/errors/parse\#
        _error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/com\#
        ponents/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"}\#
        ,{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors\#
        /storage_failed"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/permission_denied"}]},{"n\#
        ame":"note.save","summary":"Writes a whole text, a name, or both, on a base.","paramStructure":"by-name","params":[{\#
        "name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema"\#
        :{"$ref":"#/components/schemas/Version"},"description":"The version whose text the client was showing. Without it: b\#
        ase_required.","x-missing":"base_required"},{"name":"text","required":false,"schema":{"type":"string","examples":["H\#
        ello\n"]}},{"name":"name","required":false,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null\#
        "}],"examples":["work/done"]},"description":"null clears the name."},{"name":"resolves","required":false,"schema":{"\#
        type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"examples":[["0123456789abcdef0123456789abcdef"]]},\#
        "description":"Ids of conflicts that are open at the base."},{"name":"op","required":false,"schema":{"$ref":"#/compo\#
        nents/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":\#
        "#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/inval\#
        id_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/componen\#
        ts/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"\#
        $ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/e\#
        rrors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":\#
        "#/components/errors/note_not_found"},{"$ref":"#/components/errors/note_exists"},{"$ref":"#/components/errors/unknow\#
        n_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{"$ref":"#/compon\#
        ents/errors/invalid_name"}],"x-at-least-one":["text","name","resolves"]},{"name":"note.edit","summary":"Writes edits\#
         to the text of a base.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/compo\#
        nents/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description\#
        ":"The version whose text the client was showing. Without it: base_required.","x-missing":"base_required"},{"name":"\#
        edits","required":true,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Edit"},"examples":[[{"start":0\#
        ,"end":0,"text":"a"}]]}},{"name":"resolves","required":false,"schema":{"type":"array","items":{"$ref":"#/components/\#
        schemas/ConflictId"},"examples":[["0123456789abcdef0123456789abcdef"]]},"description":"Ids of conflicts that are ope\#
        n at the base."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outco\#
        me","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"\#
        #/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/lin\#
        e_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/compon\#
        ents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},\#
        {"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/e\#
        rrors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/components/errors/note_not_found"},{"$ref\#
        ":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base\#
        _required"},{"$ref":"#/components/errors/invalid_edit"}]},{"name":"note.delete","summary":"Marks a note as deleted. \#
        Its text can still be read at its versions.","paramStructure":"by-name","params":[{"name":"id","required":true,"sche\#
        ma":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Ve\#
        rsion"},"description":"The version whose text the client was showing. Without it: base_required.","x-missing":"base_\#
        required"},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","s\#
        chema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/comp\#
        onents/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_\#
        long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/e\#
        rrors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref\#
        ":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/\#
        read_only"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/com\#
        ponents/errors/revision_gone"},{"$ref":"#/components/errors/base_required"}]},{"name":"note.history","summary":"List\#
        s the revisions of a note, newest first.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema"\#
        :{"$ref":"#/components/schemas/NoteId"}},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"ma\#
        ximum":1000,"default":100,"examples":[50]}},{"name":"before","required":false,"schema":{"$ref":"#/components/schemas\#
        /Dot"},"description":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","propertie\#
        s":{"revisions":{"type":"array","items":{"$ref":"#/components/schemas/Revision"}},"next":{"oneOf":[{"$ref":"#/compon\#
        ents/schemas/Dot"},{"type":"null"}]}},"required":["revisions","next"]}},"errors":[{"$ref":"#/components/errors/parse\#
        _error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/com\#
        ponents/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"}\#
        ,{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors\#
        /storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"}]},{\#
        "name":"notes.watch","summary":"Sends a notification for each change to the notes that match a filter, from now on o\#
        r from a cursor.","paramStructure":"by-name","params":[{"name":"filter","required":false,"schema":{"$ref":"#/compone\#
        nts/schemas/Filter"}},{"name":"include","required":false,"schema":{"type":"string","enum":["meta","text","edits"],"d\#
        efault":"meta","examples":["text"]}},{"name":"since","required":false,"schema":{"$ref":"#/components/schemas/Cursor"\#
        }},{"name":"snapshot","required":false,"schema":{"type":"boolean","default":true,"examples":[false]}},{"name":"echo"\#
        ,"required":false,"schema":{"type":"boolean","default":true,"examples":[false]}}],"result":{"name":"watch","schema":\#
        {"type":"object","properties":{"watch":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"\#
        },"reset":{"type":"boolean"}},"required":["watch","cursor","reset"]}},"errors":[{"$ref":"#/components/errors/parse_e\#
        rror"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/compo\#
        nents/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{\#
        "$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/s\#
        torage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"notes.unwatch","summary":"Ends a watch."\#
        ,"paramStructure":"by-name","params":[{"name":"watch","required":true,"schema":{"type":"integer","minimum":1,"exampl\#
        es":[1]}}],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#\#
        /components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid\#
        _params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components\#
        /errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"\#
        name":"presence.set","summary":"Publishes which note the user has open on this connection. A client may send it with\#
        out id; it then gets no response.","paramStructure":"by-name","params":[{"name":"note","required":true,"schema":{"on\#
        eOf":[{"$ref":"#/components/schemas/NoteId"},{"type":"null"}],"examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"\#
        description":"null publishes that no note is open, and excludes version and selection."},{"name":"version","required\#
        ":false,"schema":{"$ref":"#/components/schemas/Version"},"description":"The version that the user sees."},{"name":"s\#
        election","required":false,"schema":{"oneOf":[{"$ref":"#/components/schemas/Selection"},{"type":"null"}],"examples":\#
        [{"start":0,"end":0}]},"description":"Offsets in the text of version. null means no selection.","x-needs":"version"}\#
        ],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/componen\#
        ts/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"}\#
        ,{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/h\#
        ello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/co\#
        mponents/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components/errors/revision_g\#
        one"},{"$ref":"#/components/errors/storage_failed"}]},{"name":"dependents.list","summary":"Lists the connected clien\#
        ts.","paramStructure":"by-name","params":[],"result":{"name":"dependents","schema":{"type":"object","properties":{"d\#
        ependents":{"type":"array","items":{"$ref":"#/components/schemas/Dependent"}}},"required":["dependents"]}},"errors":\#
        [{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/err\#
        ors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#\#
        /components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_\#
        down"}]},{"name":"daemon.status","summary":"Returns the daemon's version, counts, sizes and state.","paramStructure"\#
        :"by-name","params":[],"result":{"name":"status","schema":{"type":"object","properties":{"version":{"type":"string"}\#
        ,"store":{"$ref":"#/components/schemas/ReplicaId"},"replica":{"$ref":"#/components/schemas/ReplicaId"},"startedAt":{\#
        "$ref":"#/components/schemas/Time"},"notes":{"type":"integer","minimum":0},"tombstones":{"type":"integer","minimum":\#
        0},"revisions":{"type":"integer","minimum":0},"conflicted":{"type":"integer","minimum":0,"description":"Notes with o\#
        pen conflicts."},"dependents":{"type":"integer","minimum":0},"commits":{"type":"integer","minimum":0},"lastCommitAt"\#
        :{"oneOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"storeBytes":{"type":"integer","minimum":0},"walBy\#
        tes":{"type":"integer","minimum":0},"state":{"type":"string","enum":["ok","full","read_only"],"description":"full: n\#
        o room is left; reads still work."}},"required":["version","store","replica","startedAt","notes","tombstones","revis\#
        ions","conflicted","dependents","commits","lastCommitAt","storeBytes","walBytes","state"]}},"errors":[{"$ref":"#/com\#
        ponents/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_par\#
        ams"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/err\#
        ors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":\#
        "#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.audit","sum\#
        mary":"Rereads the whole store and compares it with the notes that the daemon serves. May take a while and send prog\#
        ress. The daemon reports a damaged store and keeps running.","paramStructure":"by-name","params":[],"result":{"name"\#
        :"audit","schema":{"type":"object","properties":{"ok":{"type":"boolean","description":"Whether there are no findings\#
        ."},"notes":{"type":"integer","minimum":0},"revisions":{"type":"integer","minimum":0},"findings":{"type":"array","it\#
        ems":{"$ref":"#/components/schemas/Finding"}},"waiting":{"type":"array","items":{"$ref":"#/components/schemas/Waitin\#
        g"},"description":"Revisions that arrived before their parents, by note. Not a fault."},"compacted":{"type":"integer\#
        ","minimum":0,"description":"The number of revisions whose texts compaction removed."}},"required":["ok","notes","re\#
        visions","findings"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_req\#
        uest"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/compone\#
        nts/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref\#
        ":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/pe\#
        rmission_denied"}]},{"name":"daemon.config","summary":"Returns the settings in effect and the source of each. Needs \#
        admin, and \"config\" in capabilities.","paramStructure":"by-name","params":[],"result":{"name":"config","schema":{"\#
        type":"object","properties":{"settings":{"type":"array","items":{"$ref":"#/components/schemas/Setting"}}},"required"\#
        :["settings"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},\#
        {"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/err\#
        ors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/co\#
        mponents/errors/shutting_down"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.backup","summary"\#
        :"Copies the store into a file while the daemon serves others. The file contains everything that the daemon answered\#
         before the request; when the response arrives, it is whole and on disk. May take a while and send progress, in byte\#
        s.","paramStructure":"by-name","params":[{"name":"path","required":false,"schema":{"type":"string","examples":["/mnt\#
        /usb/notes.db"]},"description":"An absolute path on the daemon's machine where no file exists; or a directory there,\#
         in which the daemon names the file after the time; or a file name without a slash, in the directory backups of the \#
        store. Without it, the daemon names a file there after the time. Only the daemon's user and root may send more than \#
        a file name; others get 6001."}],"result":{"name":"backup","schema":{"type":"object","properties":{"path":{"type":"s\#
        tring","description":"The absolute path of the file."},"bytes":{"type":"integer","minimum":0}},"required":["path","b\#
        ytes"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref"\#
        :"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/int\#
        ernal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/component\#
        s/errors/shutting_down"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/storage_failed"},{\#
        "$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.metrics",\#
        "summary":"Returns the daemon's counters since its start, and the size of its store.","paramStructure":"by-name","pa\#
        rams":[],"result":{"name":"metrics","schema":{"type":"object","properties":{"text":{"type":"string","description":"A\#
         complete OpenMetrics 1.0 text: connections, dependents, requests and their durations, errors by kind, commits, size\#
        s. It contains no name and no text of any note."}},"required":["text"]}},"errors":[{"$ref":"#/components/errors/pars\#
        e_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/co\#
        mponents/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"\#
        },{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/error\#
        s/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]}],"x-notifications":[{"name":"note.changed","su\#
        mmary":"Reports a changed note. change says what happened to it under the filter.","params":{"type":"object","proper\#
        ties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0,"description":"Rises by exactly 1 \#
        from 1 within a watch."},"cursor":{"$ref":"#/components/schemas/Cursor"},"change":{"type":"string","enum":["snapshot\#
        ","left","deleted","created","restored","conflicted","resolved","edited"]},"note":{"oneOf":[{"$ref":"#/components/sc\#
        hemas/Note"},{"$ref":"#/components/schemas/NoteLeft"}]},"coalesced":{"type":"integer","minimum":2,"description":"The\#
         number of changes that the line covers. Absent if it is 1."},"origin":{"type":"object","properties":{"dependent":{"\#
        type":"integer","minimum":0},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]}},"required":[\#
        "dependent","label"],"description":"The connection that made the newest change. Absent if it is no longer known."}},\#
        "required":["watch","seq","cursor","change","note"]}},{"name":"watch.synced","summary":"The watch has sent its snaps\#
        hot, or what the client missed.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq\#
        ":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["watch","seq","cursor"\#
        ]}},{"name":"watch.bookmark","summary":"A watch sends this after every 30 seconds with nothing to send.","params":{"\#
        type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"cursor":{"\#
        $ref":"#/components/schemas/Cursor"}},"required":["watch","seq","cursor"]}},{"name":"watch.reset","summary":"The wat\#
        ch dropped lines. What changed since the last delivered cursor follows.","params":{"type":"object","properties":{"wa\#
        tch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"reason":{"type":"string"}},"required":["wa\#
        tch","seq","reason"]}},{"name":"session.closing","summary":"The last line before the daemon closes the connection.",\#
        "params":{"type":"object","properties":{"reason":{"type":"string"},"retryAfterMs":{"oneOf":[{"type":"integer","minim\#
        um":0},{"type":"null"}]}},"required":["reason","retryAfterMs"]}},{"name":"progress","summary":"The progress of a lon\#
        g request. The daemon may send it any number of times before the response.","params":{"type":"object","properties":{\#
        "id":{"oneOf":[{"type":"integer"},{"type":"string"}],"description":"The id of the request."},"done":{"type":"integer\#
        ","minimum":0},"total":{"type":"integer","minimum":0}},"required":["id","done","total"]}},{"name":"presence.changed"\#
        ,"summary":"Reports which note a dependent has open, to each connection with a watch that covers the note.","params"\#
        :{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"dependent":{"type":"integer","minimum\#
        ":0},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"user":{"$ref":"#/components/schemas/\#
        User"},"version":{"oneOf":[{"$ref":"#/components/schemas/Version"},{"type":"null"}],"description":"The version that \#
        the user sees there; empty if the dependent sent none; null if the dependent left the note."},"selection":{"oneOf":[\#
        {"$ref":"#/components/schemas/Selection"},{"type":"null"}]}},"required":["note","dependent","label","user","version"\#
        ,"selection"]}}],"components":{"schemas":{"NoteId":{"type":"string","pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}\#
        -[89ab][0-9a-f]{3}-[0-9a-f]{12}$","description":"A UUID of version 7 in lower case.","examples":["01890a5d-ac96-774b\#
        -bcce-b302099a8057"]},"Dot":{"type":"string","pattern":"^[0-9a-f]{16}:[1-9][0-9]*$","description":"The globally uniq\#
        ue name of one revision: the replica that made it, and a counter.","examples":["9f86d081884c7d65:7"]},"Version":{"ty\#
        pe":"string","pattern":"^([0-9a-f]{16}:[1-9][0-9]*( [0-9a-f]{16}:[1-9][0-9]*)*)?$","description":"A set of revisions\#
        , written as its maximal dots, sorted and joined by single spaces; usually one dot. The empty string is the version \#
        in which nothing was seen. A client may send dots in any order and repeat them.","examples":["9f86d081884c7d65:7"]},\#
        "Cursor":{"type":"string","description":"A place in a store's commit order. Opaque to clients.","examples":["42.9f86\#
        d081884c7d65"]},"ConflictId":{"type":"string","pattern":"^[0-9a-f]{32}$","examples":["0123456789abcdef0123456789abcd\#
        ef"]},"ReplicaId":{"type":"string","pattern":"^[0-9a-f]{16}$","examples":["9f86d081884c7d65"]},"Time":{"type":"strin\#
        g","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"RFC 3339 in UTC, w\#
        ith milliseconds. For people only.","examples":["2026-11-20T23:29:57.123Z"]},"NoteName":{"type":"string","minLength"\#
        :1,"description":"A path such as work/inbox: parts of 1 to 255 bytes between single slashes, none of them . or .., n\#
        o control characters, at most 1,024 bytes in all.","examples":["work/inbox"]},"Op":{"type":"string","minLength":1,"d\#
        escription":"A name for this write, of at most 64 bytes, different for each write of the user. The daemon makes a re\#
        peated write only once.","examples":["7f3a"]},"Label":{"type":"string","description":"At most 1,024 bytes.","example\#
        s":["laptop/vim"]},"PositionEncoding":{"type":"string","enum":["utf-8","utf-16","utf-32"],"description":"The unit of\#
         offsets: code units of UTF-8 or UTF-16, or Unicode scalars."},"Edit":{"type":"object","properties":{"start":{"type"\#
        :"integer"},"end":{"type":"integer"},"text":{"type":"string"}},"required":["start","end","text"],"description":"Repl\#
        aces a range of a text. Offsets count in the text before any edit of the list, in the session's encoding. Edits are \#
        sorted and do not overlap.","examples":[{"start":0,"end":0,"text":"a"}]},"Filter":{"type":"object","properties":{"id\#
        s":{"type":"array","items":{"$ref":"#/components/schemas/NoteId"}},"prefix":{"type":"string"},"tag":{"type":"string"\#
        },"conflicted":{"type":"boolean"},"deleted":{"type":"boolean","description":"true: only tombstones; otherwise none."\#
        }},"required":[],"additionalProperties":false,"description":"A note must match all members.","examples":[{"prefix":"\#
        work/"}]},"Client":{"type":"object","properties":{"name":{"$ref":"#/components/schemas/Label"},"version":{"$ref":"#/\#
        components/schemas/Label"}},"required":["name"],"examples":[{"name":"notesctl","version":"0.1.0"}]},"User":{"type":"\#
        object","properties":{"uid":{"type":"integer","minimum":0},"name":{"type":"string"}},"required":["uid","name"]},"Aut\#
        hor":{"type":"object","properties":{"user":{"type":"string"},"label":{"oneOf":[{"type":"string"},{"type":"null"}]}},\#
        "required":["user","label"]},"Limits":{"type":"object","properties":{"maxLineBytes":{"type":"integer","minimum":0,"d\#
        escription":"The length of a line, without its LF."},"maxNoteBytes":{"type":"integer","minimum":0},"maxInFlight":{"t\#
        ype":"integer","minimum":0,"description":"The number of requests without a response."},"maxDepth":{"type":"integer",\#
        "minimum":0,"description":"The depth of nested arrays and objects."},"maxResponseBytes":{"type":"integer","minimum":\#
        0,"description":"The size of all unread responses."}},"required":["maxLineBytes","maxNoteBytes","maxInFlight","maxDe\#
        pth","maxResponseBytes"]},"SearchQuery":{"type":"string","maxLength":4096,"examples":["milk bread"]},"Hit":{"type":"\#
        object","properties":{"note":{"$ref":"#/components/schemas/Note"},"snippet":{"type":"string","description":"An exact\#
         piece of the note's text, around the first match."},"ranges":{"type":"array","items":{"type":"object","properties":\#
        {"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["start","end"]},"descripti\#
        on":"The matches in the snippet, in the session's encoding, ascending and separate."}},"required":["note","snippet",\#
        "ranges"]},"Conflict":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/ConflictId"},"kind":{"type":\#
        "string","enum":["text","name","deletion"]},"range":{"type":"object","properties":{"start":{"type":"integer","minimu\#
        m":0},"end":{"type":"integer","minimum":0}},"required":["start","end"],"description":"Whole lines of the merged text\#
        , in the session's encoding; all of it for a deletion, an empty range at its start for a name."},"base":{"oneOf":[{"\#
        type":"string"},{"type":"null"}],"description":"What all sides started from: the lines, the name or null, or null fo\#
        r a deletion."},"sides":{"type":"array","items":{"$ref":"#/components/schemas/Side"}}},"required":["id","kind","rang\#
        e"],"description":"A mark where concurrent writes touch. base and sides are present where the note has text or edits\#
        , and in outcomes."},"Side":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"author":{"$ref\#
        ":"#/components/schemas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"text":{"type":"string","descriptio\#
        n":"The text of this side in place of the range; its whole text if another side deleted the note."},"name":{"oneOf":\#
        [{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"deleted":{"type":"boolean","description":"true: this si\#
        de deleted the note."}},"required":["dot","author","modified"],"description":"One side of a conflict, at its newest \#
        revision. It has one of text, name and deleted."},"Note":{"type":"object","properties":{"id":{"$ref":"#/components/s\#
        chemas/NoteId"},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"version":{"$ref":"#/com\#
        ponents/schemas/Version"},"siblings":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"vector":{"type":"\#
        object","additionalProperties":{"type":"integer"}},"conflicts":{"type":"array","items":{"$ref":"#/components/schemas\#
        /Conflict"}},"title":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"created":{"$ref":"#/compon\#
        ents/schemas/Time"},"modified":{"$ref":"#/components/schemas/Time"},"author":{"$ref":"#/components/schemas/Author"},\#
        "bytes":{"type":"integer","minimum":0},"deleted":{"type":"boolean"},"text":{"type":"string"},"base":{"$ref":"#/compo\#
        nents/schemas/Version"},"edits":{"type":"array","items":{"$ref":"#/components/schemas/Edit"}}},"required":["id","nam\#
        e","version","conflicts","title","tags","created","modified","author","bytes","deleted"],"description":"siblings and\#
         vector are present only in note.get; text or edits where the client asked for them; base with edits in watch lines.\#
        "},"NoteLeft":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId"},"version":{"$ref":"#/compon\#
        ents/schemas/Version"}},"required":["id","version"],"description":"A note that no longer matches the filter."},"Merg\#
        edText":{"type":"object","properties":{"version":{"$ref":"#/components/schemas/Version"},"edits":{"type":"array","it\#
        ems":{"$ref":"#/components/schemas/Edit"}},"conflicts":{"type":"array","items":{"$ref":"#/components/schemas/Conflic\#
        t"}},"text":{"type":"string"}},"required":["version","conflicts"],"description":"The state that the daemon shows, if\#
         its version is not that of the outcome. edits turn the text sent into the merged text; version is the base to use o\#
        nce the client shows the merged text."},"Outcome":{"type":"object","properties":{"outcome":{"type":"string","enum":[\#
        "saved","merged","conflicted","unchanged"]},"dot":{"$ref":"#/components/schemas/Dot"},"version":{"$ref":"#/component\#
        s/schemas/Version"},"note":{"$ref":"#/components/schemas/MergedText"},"replayed":{"type":"boolean"}},"required":["ou\#
        tcome","version"],"description":"dot is absent if the outcome is unchanged. replayed is present if the client sent t\#
        he op before."},"Revision":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/Dot"},"parents":{"type\#
        ":"array","items":{"$ref":"#/components/schemas/Dot"}},"version":{"$ref":"#/components/schemas/Version"},"author":{"\#
        $ref":"#/components/schemas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"bytes":{"type":"integer","mini\#
        mum":0},"deleted":{"type":"boolean"},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"ki\#
        nd":{"type":"string","enum":["saved","edited"]},"compacted":{"type":"boolean","description":"true if compaction remo\#
        ved the text; otherwise absent."}},"required":["dot","parents","version","author","modified","bytes","deleted","name\#
        ","kind"]},"Setting":{"type":"object","properties":{"key":{"type":"string","examples":["limits.depth_max"]},"value":\#
        {"oneOf":[{"type":"string"},{"type":"null"}],"description":"As in the configuration file; null if the setting is uns\#
        et and the daemon chooses."},"source":{"type":"string","description":"A file, \"environment NAME\", \"option NAME\",\#
         \"service manager\" or \"default\"."},"reloadable":{"type":"boolean","description":"Whether a running daemon can ap\#
        ply a change."},"pending":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"The value that the next start \#
        will use, if it differs."}},"required":["key","value","source","reloadable","pending"]},"Finding":{"type":"object","\#
        properties":{"note":{"oneOf":[{"$ref":"#/components/schemas/NoteId"},{"type":"null"}]},"dot":{"oneOf":[{"$ref":"#/co\#
        mponents/schemas/Dot"},{"type":"null"}]},"message":{"type":"string","description":"A sentence for people."}},"requir\#
        ed":["note","dot","message"],"description":"Something that an audit found. note and dot are null where it concerns n\#
        one."},"Waiting":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"revisions":{"type":"i\#
        nteger","minimum":0,"description":"The number of waiting revisions."},"parents":{"type":"array","items":{"$ref":"#/c\#
        omponents/schemas/Dot"},"description":"The missing parents, at most 100 of them."}},"required":["note","revisions","\#
        parents"],"description":"Revisions of one note from other replicas that wait for their parents."},"Selection":{"type\#
        ":"object","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"required":["s\#
        tart","end"],"description":"Offsets in the session's encoding. A text cursor starts where it ends."},"Presence":{"ty\#
        pe":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"version":{"$ref":"#/components/schemas/Ver\#
        sion"},"selection":{"oneOf":[{"$ref":"#/components/schemas/Selection"},{"type":"null"}]}},"required":["note","versio\#
        n","selection"]},"Dependent":{"type":"object","properties":{"dependent":{"type":"integer","minimum":0},"client":{"$r\#
        ef":"#/components/schemas/Client"},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"user":\#
        {"$ref":"#/components/schemas/User"},"watches":{"type":"integer","minimum":0,"description":"The number of its watche\#
        s."},"state":{"type":"string","enum":["synced","lagging","reset"],"description":"synced: everything was sent. laggin\#
        g: something is pending. reset: the daemon dropped lines and has not replaced them yet."},"outboxBytes":{"type":"int\#
        eger","minimum":0,"description":"The size of everything that is pending."},"presence":{"oneOf":[{"$ref":"#/component\#
        s/schemas/Presence"},{"type":"null"}],"description":"The note that the user has open on this connection."}},"require\#
        d":["dependent","client","label","user","watches","state","outboxBytes","presence"]}},"errors":{"parse_error":{"code\#
        ":-32700,"message":"The line is not valid JSON for this protocol.","data":{"kind":"parse_error","retryable":false,"d\#
        etails":["offset"]}},"invalid_request":{"code":-32600,"message":"The line is not a JSON-RPC request, or not allowed \#
        at this point.","data":{"kind":"invalid_request","retryable":false,"details":["path"]}},"method_not_found":{"code":-\#
        32601,"message":"There is no such method.","data":{"kind":"method_not_found","retryable":false,"details":[]}},"inval\#
        id_params":{"code":-32602,"message":"A param is missing, unknown, or of the wrong type or form.","data":{"kind":"inv\#
        alid_params","retryable":false,"details":["path","offset"]}},"internal":{"code":-32603,"message":"The daemon failed \#
        because of a bug.","data":{"kind":"internal","retryable":false,"details":[]}},"hello_required":{"code":1001,"message\#
        ":"Send session.hello first.","data":{"kind":"hello_required","retryable":false,"details":[]}},"unsupported_protocol\#
        ":{"code":1002,"message":"The client and the daemon have no protocol version in common.","data":{"kind":"unsupported\#
        _protocol","retryable":false,"details":["supported"]}},"note_not_found":{"code":2001,"message":"There is no such not\#
        e.","data":{"kind":"note_not_found","retryable":false,"details":[]}},"note_exists":{"code":2002,"message":"The id or\#
         the name is taken.","data":{"kind":"note_exists","retryable":false,"details":["id"]}},"unknown_base":{"code":2003,"\#
        message":"The base names a revision that is unknown or not this note's.","data":{"kind":"unknown_base","retryable":"\#
        true if the revision belongs to another replica and may still arrive","details":["known"]}},"revision_gone":{"code":\#
        2004,"message":"Compaction removed the text of that version.","data":{"kind":"revision_gone","retryable":false,"deta\#
        ils":["version"]}},"base_required":{"code":2005,"message":"A write to an existing note needs a base.","data":{"kind"\#
        :"base_required","retryable":false,"details":["version"]}},"invalid_edit":{"code":2006,"message":"An edit does not f\#
        it the text of the base.","data":{"kind":"invalid_edit","retryable":false,"details":["index"]}},"invalid_name":{"cod\#
        e":2007,"message":"This is not a valid name for a note.","data":{"kind":"invalid_name","retryable":false,"details":[\#
        ]}},"storage_full":{"code":3001,"message":"The disk is full.","data":{"kind":"storage_full","retryable":true,"detail\#
        s":[]}},"storage_failed":{"code":3002,"message":"The store failed to read or write.","data":{"kind":"storage_failed"\#
        ,"retryable":true,"details":[]}},"read_only":{"code":3003,"message":"The store is read-only.","data":{"kind":"read_o\#
        nly","retryable":false,"details":[]}},"line_too_long":{"code":4001,"message":"The line is too long; the daemon skipp\#
        ed it. The third such line closes the connection.","data":{"kind":"line_too_long","retryable":false,"details":["limi\#
        t"]}},"note_too_large":{"code":4002,"message":"The note would be too large.","data":{"kind":"note_too_large","retrya\#
        ble":false,"details":["bytes","limit"]}},"overloaded":{"code":4003,"message":"The daemon is overloaded.","data":{"ki\#
        nd":"overloaded","retryable":"true, except if the connection has too many watches","details":[]}},"permission_denied\#
        ":{"code":6001,"message":"The user does not have the access that this needs.","data":{"kind":"permission_denied","re\#
        tryable":false,"details":[]}},"shutting_down":{"code":7001,"message":"The daemon is stopping.","data":{"kind":"shutt\#
        ing_down","retryable":true,"details":[]}}}}}
        """#
}
