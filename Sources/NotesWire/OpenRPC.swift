/// The contract for programs: `docs/openrpc.json`, as `rpc.discover` answers it.
///
/// Written by `scripts/embed-openrpc`; change the document and run that.
package enum OpenRPC {
    package static let document = Array(text.utf8)

    private static let text = #"""
        {"openrpc":"1.3.2","info":{"title":"notesd","version":"1","description":"Plain-text notes that many editors write at onc\#
        e, over a Unix socket, with one JSON-RPC 2.0 object per line. docs/protocol.md specifies what this document cannot expre\#
        ss.","license":{"name":"Apache-2.0"}},"methods":[{"name":"session.hello","summary":"Registers the connection as a depend\#
        ent. A client sends it first, and once.","paramStructure":"by-name","params":[{"name":"protocol","required":true,"schema\#
        ":{"type":"array","items":{"type":"integer"},"examples":[[1]]},"description":"The protocol versions that the client spea\#
        ks."},{"name":"client","required":true,"schema":{"$ref":"#/components/schemas/Client"}},{"name":"label","required":false\#
        ,"schema":{"$ref":"#/components/schemas/Label"}},{"name":"positionEncoding","required":false,"schema":{"type":"array","i\#
        tems":{"type":"string"},"examples":[["utf-8","utf-16"]]},"description":"In order of preference. The daemon skips unknown\#
         values; if it knows none, it uses utf-8."}],"result":{"name":"session","schema":{"type":"object","properties":{"protoco\#
        l":{"type":"integer"},"server":{"$ref":"#/components/schemas/Client"},"store":{"$ref":"#/components/schemas/ReplicaId"},\#
        "replica":{"$ref":"#/components/schemas/ReplicaId"},"dependent":{"type":"integer","minimum":0},"user":{"$ref":"#/compone\#
        nts/schemas/User"},"access":{"type":"string","enum":["read","write","admin"]},"positionEncoding":{"$ref":"#/components/s\#
        chemas/PositionEncoding"},"limits":{"$ref":"#/components/schemas/Limits"},"capabilities":{"type":"array","items":{"type"\#
        :"string"}},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["protocol","server","store","replica","dependen\#
        t","user","access","positionEncoding","limits","capabilities","cursor"]}},"errors":[{"$ref":"#/components/errors/parse_e\#
        rror"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/component\#
        s/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/unsupported_protocol"},{"$\#
        ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shu\#
        tting_down"}]},{"name":"session.ping","summary":"Returns an empty object. Allowed before hello.","paramStructure":"by-na\#
        me","params":[],"result":{"name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"\#
        #/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_pa\#
        rams"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"}]},{"name":"rpc.discover","su\#
        mmary":"Returns this document. Allowed before hello.","paramStructure":"by-name","params":[],"result":{"name":"document"\#
        ,"schema":{"type":"object"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_r\#
        equest"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/component\#
        s/errors/internal"}]},{"name":"note.create","summary":"Creates a note.","paramStructure":"by-name","params":[{"name":"te\#
        xt","required":true,"schema":{"type":"string","examples":["Hello\n"]}},{"name":"name","required":false,"schema":{"oneOf"\#
        :[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}],"examples":["work/inbox"]}},{"name":"id","required":false,"s\#
        chema":{"$ref":"#/components/schemas/NoteId"},"description":"The client may choose it, so that a retry cannot create a s\#
        econd note."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"created","sc\#
        hema":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/Note"},"dot":{"$ref":"#/components/schemas/Dot\#
        "},"version":{"$ref":"#/components/schemas/Version"},"replayed":{"type":"boolean"}},"required":["note"]}},"errors":[{"$r\#
        ef":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/inval\#
        id_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/e\#
        rrors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#\#
        /components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storag\#
        e_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_too_large"},{"$ref":"#/components/er\#
        rors/note_exists"},{"$ref":"#/components/errors/invalid_name"}]},{"name":"note.get","summary":"Returns a note, now or at\#
         a version, whole or as edits from a version.","paramStructure":"by-name","params":[{"name":"id","required":false,"schem\#
        a":{"$ref":"#/components/schemas/NoteId"}},{"name":"name","required":false,"schema":{"$ref":"#/components/schemas/NoteNa\#
        me"}},{"name":"at","required":false,"schema":{"$ref":"#/components/schemas/Version"}},{"name":"from","required":false,"s\#
        chema":{"$ref":"#/components/schemas/Version"}}],"result":{"name":"shown","schema":{"type":"object","properties":{"note"\#
        :{"$ref":"#/components/schemas/Note"}},"required":["note"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref\#
        ":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line\#
        _too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/\#
        errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"\#
        #/components/errors/permission_denied"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unkno\#
        wn_base"},{"$ref":"#/components/errors/revision_gone"}],"x-exactly-one":["id","name"]},{"name":"note.list","summary":"Li\#
        sts notes, sorted by name (bytes, null last), then id.","paramStructure":"by-name","params":[{"name":"filter","required"\#
        :false,"schema":{"$ref":"#/components/schemas/Filter"}},{"name":"limit","required":false,"schema":{"type":"integer","min\#
        imum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"after","required":false,"schema":{"type":"string","examp\#
        les":["01890a5d-ac96-774b-bcce-b302099a8057/work/inbox"]},"description":"The next of the previous page."}],"result":{"na\#
        me":"page","schema":{"type":"object","properties":{"notes":{"type":"array","items":{"$ref":"#/components/schemas/Note"}}\#
        ,"next":{"oneOf":[{"type":"string"},{"type":"null"}]}},"required":["notes","next"]}},"errors":[{"$ref":"#/components/err\#
        ors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"\#
        #/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"\#
        },{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/st\#
        orage_failed"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"note.search","summary":"Searches notes by the\#
        ir contents, best first.","paramStructure":"by-name","params":[{"name":"query","required":true,"schema":{"$ref":"#/compo\#
        nents/schemas/SearchQuery"},"description":"Words that a note must all contain; docs/protocol.md describes the whole synt\#
        ax."},{"name":"limit","required":false,"schema":{"type":"integer","minimum":1,"maximum":100,"default":20,"examples":[50]\#
        }},{"name":"after","required":false,"schema":{"type":"string","examples":["3fe5555555555555.0000000000000421"]},"descrip\#
        tion":"The next of the previous page."}],"result":{"name":"page","schema":{"type":"object","properties":{"hits":{"type":\#
        "array","items":{"$ref":"#/components/schemas/Hit"}},"next":{"oneOf":[{"type":"string"},{"type":"null"}]},"truncated":{"\#
        type":"boolean","description":"Whether more than 10,000 notes matched. The daemon finds only the newest 10,000 of them."\#
        }},"required":["hits","next","truncated"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/e\#
        rrors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$re\#
        f":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded\#
        "},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/erro\#
        rs/storage_full"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"note.save","summary":"Writes a whole text,\#
         a name, or both, on a base.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/comp\#
        onents/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"\#
        The version whose text the client was showing. Without it: base_required.","x-missing":"base_required"},{"name":"text","\#
        required":false,"schema":{"type":"string","examples":["Hello\n"]}},{"name":"name","required":false,"schema":{"oneOf":[{"\#
        $ref":"#/components/schemas/NoteName"},{"type":"null"}],"examples":["work/done"]},"description":"null clears the name."}\#
        ,{"name":"resolves","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/ConflictId"},"exampl\#
        es":[["0123456789abcdef0123456789abcdef"]]},"description":"Ids of conflicts that are open at the base."},{"name":"op","r\#
        equired":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/components/s\#
        chemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"\#
        $ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/in\#
        ternal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/e\#
        rrors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$\#
        ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_too_\#
        large"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/note_exists"},{"$ref":"#/components/e\#
        rrors/unknown_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{"$ref":"\#
        #/components/errors/invalid_name"}],"x-at-least-one":["text","name","resolves"]},{"name":"note.edit","summary":"Writes e\#
        dits to the text of a base.","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/compo\#
        nents/schemas/NoteId"}},{"name":"base","required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"T\#
        he version whose text the client was showing. Without it: base_required.","x-missing":"base_required"},{"name":"edits","\#
        required":true,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Edit"},"examples":[[{"start":0,"end":0,"te\#
        xt":"a"}]]}},{"name":"resolves","required":false,"schema":{"type":"array","items":{"$ref":"#/components/schemas/Conflict\#
        Id"},"examples":[["0123456789abcdef0123456789abcdef"]]},"description":"Ids of conflicts that are open at the base."},{"n\#
        ame":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/\#
        components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_\#
        request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/componen\#
        ts/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/\#
        components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_\#
        denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/read_only"},{"$ref":"#/components/erro\#
        rs/note_too_large"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#\#
        /components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{"$ref":"#/components/errors/invalid_edi\#
        t"}]},{"name":"note.delete","summary":"Marks a note as deleted. Its text can still be read at its versions.","paramStruc\#
        ture":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","\#
        required":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"The version whose text the client was sho\#
        wing. Without it: base_required.","x-missing":"base_required"},{"name":"op","required":false,"schema":{"$ref":"#/compone\#
        nts/schemas/Op"}}],"result":{"name":"outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/com\#
        ponents/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"\#
        },{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hell\#
        o_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/component\#
        s/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{\#
        "$ref":"#/components/errors/read_only"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unkno\#
        wn_base"},{"$ref":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/base_required"}]},{"name":"note.undo\#
        ","summary":"Withdraws revisions of a note, as if they had not been made. Withdrawing a withdrawal redoes.","paramStruct\#
        ure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"base","r\#
        equired":true,"schema":{"$ref":"#/components/schemas/Version"},"description":"A version that includes the revisions. Wit\#
        hout it: base_required.","x-missing":"base_required"},{"name":"revisions","required":false,"schema":{"type":"array","ite\#
        ms":{"$ref":"#/components/schemas/Dot"},"minItems":1,"maxItems":10000,"examples":[["9f86d081884c7d65:7"]]},"description"\#
        :"The revisions to withdraw."},{"name":"ops","required":false,"schema":{"type":"array","items":{"$ref":"#/components/sch\#
        emas/Op"},"minItems":1,"maxItems":10000,"examples":[["7f3a"]]},"description":"The ops of writes of the same user to this\#
         note, in place of revisions."},{"name":"op","required":false,"schema":{"$ref":"#/components/schemas/Op"}}],"result":{"n\#
        ame":"outcome","schema":{"$ref":"#/components/schemas/Outcome"}},"errors":[{"$ref":"#/components/errors/parse_error"},{"\#
        $ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/\#
        line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/compone\#
        nts/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$re\#
        f":"#/components/errors/permission_denied"},{"$ref":"#/components/errors/storage_full"},{"$ref":"#/components/errors/rea\#
        d_only"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$ref":"#/components\#
        /errors/revision_gone"},{"$ref":"#/components/errors/base_required"},{"$ref":"#/components/errors/note_too_large"}],"x-e\#
        xactly-one":["revisions","ops"]},{"name":"note.history","summary":"Lists the revisions of a note, newest first.","paramS\#
        tructure":"by-name","params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/NoteId"}},{"name":"lim\#
        it","required":false,"schema":{"type":"integer","minimum":1,"maximum":1000,"default":100,"examples":[50]}},{"name":"befo\#
        re","required":false,"schema":{"$ref":"#/components/schemas/Dot"},"description":"The next of the previous page."}],"resu\#
        lt":{"name":"page","schema":{"type":"object","properties":{"revisions":{"type":"array","items":{"$ref":"#/components/sch\#
        emas/Revision"}},"next":{"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"null"}]}},"required":["revisions","next"]\#
        }},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/compon\#
        ents/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref\#
        ":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_\#
        down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"},{"$ref":"#/compone\#
        nts/errors/note_not_found"}]},{"name":"notes.watch","summary":"Sends a notification for each change to the notes that ma\#
        tch a filter, from now on or from a cursor.","paramStructure":"by-name","params":[{"name":"filter","required":false,"sch\#
        ema":{"$ref":"#/components/schemas/Filter"}},{"name":"include","required":false,"schema":{"type":"string","enum":["meta"\#
        ,"text","edits"],"default":"meta","examples":["text"]}},{"name":"since","required":false,"schema":{"$ref":"#/components/\#
        schemas/Cursor"}},{"name":"snapshot","required":false,"schema":{"type":"boolean","default":true,"examples":[false]}},{"n\#
        ame":"echo","required":false,"schema":{"type":"boolean","default":true,"examples":[false]}}],"result":{"name":"watch","s\#
        chema":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Curs\#
        or"},"reset":{"type":"boolean"}},"required":["watch","cursor","reset"]}},"errors":[{"$ref":"#/components/errors/parse_er\#
        ror"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components\#
        /errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#\#
        /components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed\#
        "},{"$ref":"#/components/errors/permission_denied"}]},{"name":"notes.unwatch","summary":"Ends a watch.","paramStructure"\#
        :"by-name","params":[{"name":"watch","required":true,"schema":{"type":"integer","minimum":1,"examples":[1]}}],"result":{\#
        "name":"nothing","schema":{"type":"object","properties":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_\#
        error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/componen\#
        ts/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":\#
        "#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"}]},{"name":"presence.set","summary":"Publi\#
        shes which note the user has open on this connection. A client may send it without id; it then gets no response.","param\#
        Structure":"by-name","params":[{"name":"note","required":true,"schema":{"oneOf":[{"$ref":"#/components/schemas/NoteId"},\#
        {"type":"null"}],"examples":["01890a5d-ac96-774b-bcce-b302099a8057"]},"description":"null publishes that no note is open\#
        , and excludes version and selection."},{"name":"version","required":false,"schema":{"$ref":"#/components/schemas/Versio\#
        n"},"description":"The version that the user sees."},{"name":"selection","required":false,"schema":{"oneOf":[{"$ref":"#/\#
        components/schemas/Selection"},{"type":"null"}],"examples":[{"start":0,"end":0}]},"description":"Offsets in the text of \#
        version. null means no selection.","x-needs":"version"}],"result":{"name":"nothing","schema":{"type":"object","propertie\#
        s":{},"required":[]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"\#
        },{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/error\#
        s/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/componen\#
        ts/errors/shutting_down"},{"$ref":"#/components/errors/note_not_found"},{"$ref":"#/components/errors/unknown_base"},{"$r\#
        ef":"#/components/errors/revision_gone"},{"$ref":"#/components/errors/storage_failed"}]},{"name":"dependents.list","summ\#
        ary":"Lists the connected clients.","paramStructure":"by-name","params":[],"result":{"name":"dependents","schema":{"type\#
        ":"object","properties":{"dependents":{"type":"array","items":{"$ref":"#/components/schemas/Dependent"}}},"required":["d\#
        ependents"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref\#
        ":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/intern\#
        al"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/error\#
        s/shutting_down"}]},{"name":"daemon.status","summary":"Returns the daemon's version, counts, sizes and state.","paramStr\#
        ucture":"by-name","params":[],"result":{"name":"status","schema":{"type":"object","properties":{"version":{"type":"strin\#
        g"},"store":{"$ref":"#/components/schemas/ReplicaId"},"replica":{"$ref":"#/components/schemas/ReplicaId"},"startedAt":{"\#
        $ref":"#/components/schemas/Time"},"notes":{"type":"integer","minimum":0},"tombstones":{"type":"integer","minimum":0},"r\#
        evisions":{"type":"integer","minimum":0},"conflicted":{"type":"integer","minimum":0,"description":"Notes with open confl\#
        icts."},"dependents":{"type":"integer","minimum":0},"commits":{"type":"integer","minimum":0},"lastCommitAt":{"oneOf":[{"\#
        $ref":"#/components/schemas/Time"},{"type":"null"}]},"storeBytes":{"type":"integer","minimum":0},"walBytes":{"type":"int\#
        eger","minimum":0},"state":{"type":"string","enum":["ok","full","read_only"],"description":"full: no room is left; reads\#
         still work."}},"required":["version","store","replica","startedAt","notes","tombstones","revisions","conflicted","depen\#
        dents","commits","lastCommitAt","storeBytes","walBytes","state"]}},"errors":[{"$ref":"#/components/errors/parse_error"},\#
        {"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/error\#
        s/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/compo\#
        nents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$\#
        ref":"#/components/errors/permission_denied"}]},{"name":"daemon.audit","summary":"Rereads the whole store and compares i\#
        t with the notes that the daemon serves. May take a while and send progress. The daemon reports a damaged store and keep\#
        s running.","paramStructure":"by-name","params":[],"result":{"name":"audit","schema":{"type":"object","properties":{"ok"\#
        :{"type":"boolean","description":"Whether there are no findings."},"notes":{"type":"integer","minimum":0},"revisions":{"\#
        type":"integer","minimum":0},"findings":{"type":"array","items":{"$ref":"#/components/schemas/Finding"}},"waiting":{"typ\#
        e":"array","items":{"$ref":"#/components/schemas/Waiting"},"description":"Revisions that arrived before their parents, b\#
        y note. Not a fault."},"compacted":{"type":"integer","minimum":0,"description":"The number of revisions whose texts comp\#
        action removed."}},"required":["ok","notes","revisions","findings"]}},"errors":[{"$ref":"#/components/errors/parse_error\#
        "},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/er\#
        rors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/co\#
        mponents/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/storage_failed"},\#
        {"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.config","summary":"Returns the settings in effect and\#
         the source of each. Needs admin, and \"config\" in capabilities.","paramStructure":"by-name","params":[],"result":{"nam\#
        e":"config","schema":{"type":"object","properties":{"settings":{"type":"array","items":{"$ref":"#/components/schemas/Set\#
        ting"}}},"required":["settings"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/inv\#
        alid_request"},{"$ref":"#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/com\#
        ponents/errors/internal"},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref\#
        ":"#/components/errors/shutting_down"},{"$ref":"#/components/errors/permission_denied"}]},{"name":"daemon.backup","summa\#
        ry":"Copies the store into a file while the daemon serves others. The file contains everything that the daemon answered \#
        before the request; when the response arrives, it is whole and on disk. May take a while and send progress, in bytes.","\#
        paramStructure":"by-name","params":[{"name":"path","required":false,"schema":{"type":"string","examples":["/mnt/usb/note\#
        s.db"]},"description":"An absolute path on the daemon's machine where no file exists; or a directory there, in which the\#
         daemon names the file after the time; or a file name without a slash, in the directory backups of the store. Without it\#
        , the daemon names a file there after the time. Only the daemon's user and root may send more than a file name; others g\#
        et 6001."}],"result":{"name":"backup","schema":{"type":"object","properties":{"path":{"type":"string","description":"The\#
         absolute path of the file."},"bytes":{"type":"integer","minimum":0}},"required":["path","bytes"]}},"errors":[{"$ref":"#\#
        /components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":"#/components/errors/invalid_par\#
        ams"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal"},{"$ref":"#/components/errors/\#
        hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/shutting_down"},{"$ref":"#/compo\#
        nents/errors/storage_full"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/read_only"},{"$re\#
        f":"#/components/errors/permission_denied"}]},{"name":"daemon.metrics","summary":"Returns the daemon's counters since it\#
        s start, and the size of its store.","paramStructure":"by-name","params":[],"result":{"name":"metrics","schema":{"type":\#
        "object","properties":{"text":{"type":"string","description":"A complete OpenMetrics 1.0 text: connections, dependents, \#
        requests and their durations, errors by kind, commits, sizes. It contains no name and no text of any note."}},"required"\#
        :["text"]}},"errors":[{"$ref":"#/components/errors/parse_error"},{"$ref":"#/components/errors/invalid_request"},{"$ref":\#
        "#/components/errors/invalid_params"},{"$ref":"#/components/errors/line_too_long"},{"$ref":"#/components/errors/internal\#
        "},{"$ref":"#/components/errors/hello_required"},{"$ref":"#/components/errors/overloaded"},{"$ref":"#/components/errors/\#
        shutting_down"},{"$ref":"#/components/errors/storage_failed"},{"$ref":"#/components/errors/permission_denied"}]}],"x-not\#
        ifications":[{"name":"note.changed","summary":"Reports a changed note. change says what happened to it under the filter.\#
        ","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0,"de\#
        scription":"Rises by exactly 1 from 1 within a watch."},"cursor":{"$ref":"#/components/schemas/Cursor"},"change":{"type"\#
        :"string","enum":["snapshot","left","deleted","created","restored","conflicted","resolved","edited"]},"note":{"oneOf":[{\#
        "$ref":"#/components/schemas/Note"},{"$ref":"#/components/schemas/NoteLeft"}]},"coalesced":{"type":"integer","minimum":2\#
        ,"description":"The number of changes that the line covers. Absent if it is 1."},"origin":{"type":"object","properties":\#
        {"dependent":{"type":"integer","minimum":0},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]}},"\#
        required":["dependent","label"],"description":"The connection that made the newest change. Absent if an earlier run of t\#
        he daemon made it, or if it is not among the last 32,768 commits."}},"required":["watch","seq","cursor","change","note"]\#
        }},{"name":"watch.synced","summary":"The watch has sent its snapshot, or what the client missed.","params":{"type":"obje\#
        ct","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"cursor":{"$ref":"#/compon\#
        ents/schemas/Cursor"}},"required":["watch","seq","cursor"]}},{"name":"watch.bookmark","summary":"A watch sends this afte\#
        r every 30 seconds with nothing to send.","params":{"type":"object","properties":{"watch":{"type":"integer","minimum":0}\#
        ,"seq":{"type":"integer","minimum":0},"cursor":{"$ref":"#/components/schemas/Cursor"}},"required":["watch","seq","cursor\#
        "]}},{"name":"watch.reset","summary":"The watch dropped lines. What changed since the last delivered cursor follows.","p\#
        arams":{"type":"object","properties":{"watch":{"type":"integer","minimum":0},"seq":{"type":"integer","minimum":0},"reaso\#
        n":{"type":"string"}},"required":["watch","seq","reason"]}},{"name":"session.closing","summary":"The last line before th\#
        e daemon closes the connection.","params":{"type":"object","properties":{"reason":{"type":"string"},"retryAfterMs":{"one\#
        Of":[{"type":"integer","minimum":0},{"type":"null"}]}},"required":["reason","retryAfterMs"]}},{"name":"progress","summar\#
        y":"The progress of a long request. The daemon may send it any number of times before the response.","params":{"type":"o\#
        bject","properties":{"id":{"oneOf":[{"type":"integer"},{"type":"string"}],"description":"The id of the request."},"done"\#
        :{"type":"integer","minimum":0},"total":{"type":"integer","minimum":0}},"required":["id","done","total"]}},{"name":"pres\#
        ence.changed","summary":"Reports which note a dependent has open, to each connection with a watch that covers the note."\#
        ,"params":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"dependent":{"type":"integer","mi\#
        nimum":0},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}]},"user":{"$ref":"#/components/schemas\#
        /User"},"version":{"oneOf":[{"$ref":"#/components/schemas/Version"},{"type":"null"}],"description":"The version that the\#
         user sees there; empty if the dependent sent none; null if the dependent left the note."},"selection":{"oneOf":[{"$ref"\#
        :"#/components/schemas/Selection"},{"type":"null"}]}},"required":["note","dependent","label","user","version","selection\#
        "]}}],"components":{"schemas":{"NoteId":{"type":"string","pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]\#
        {3}-[0-9a-f]{12}$","description":"A UUID of version 7 in lower case.","examples":["01890a5d-ac96-774b-bcce-b302099a8057"\#
        ]},"Dot":{"type":"string","pattern":"^[0-9a-f]{16}:[1-9][0-9]*$","description":"The globally unique name of one revision\#
        : the replica that made it, and a counter.","examples":["9f86d081884c7d65:7"]},"Version":{"type":"string","pattern":"^([\#
        0-9a-f]{16}:[1-9][0-9]*( [0-9a-f]{16}:[1-9][0-9]*)*)?$","description":"A set of revisions, written as its maximal dots, \#
        sorted and joined by single spaces; usually one dot. The empty string is the version in which nothing was seen. A client\#
         may send dots in any order and repeat them.","examples":["9f86d081884c7d65:7"]},"Cursor":{"type":"string","description"\#
        :"A place in a store's commit order. Opaque to clients.","examples":["42.9f86d081884c7d65"]},"ConflictId":{"type":"strin\#
        g","pattern":"^[0-9a-f]{32}$","examples":["0123456789abcdef0123456789abcdef"]},"ReplicaId":{"type":"string","pattern":"^\#
        [0-9a-f]{16}$","examples":["9f86d081884c7d65"]},"Time":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:\#
        [0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"RFC 3339 in UTC, with milliseconds. For people only.","examples":["2026-1\#
        1-20T23:29:57.123Z"]},"NoteName":{"type":"string","minLength":1,"description":"A path such as work/inbox: parts of 1 to \#
        255 bytes between single slashes, none of them . or .., no control characters, at most 1,024 bytes in all.","examples":[\#
        "work/inbox"]},"Op":{"type":"string","minLength":1,"description":"A name for this write, of at most 64 bytes, different \#
        for each write of the user. The daemon makes a repeated write only once.","examples":["7f3a"]},"Label":{"type":"string",\#
        "description":"At most 1,024 bytes.","examples":["laptop/vim"]},"PositionEncoding":{"type":"string","enum":["utf-8","utf\#
        -16","utf-32"],"description":"The unit of offsets: code units of UTF-8 or UTF-16, or Unicode scalars."},"Edit":{"type":"\#
        object","properties":{"start":{"type":"integer"},"end":{"type":"integer"},"text":{"type":"string"}},"required":["start",\#
        "end","text"],"description":"Replaces a range of a text. Offsets count in the text before any edit of the list, in the s\#
        ession's encoding. Edits are sorted and do not overlap.","examples":[{"start":0,"end":0,"text":"a"}]},"Filter":{"type":"\#
        object","properties":{"ids":{"type":"array","items":{"$ref":"#/components/schemas/NoteId"}},"prefix":{"type":"string"},"\#
        tag":{"type":"string"},"conflicted":{"type":"boolean"},"deleted":{"type":"boolean","description":"true: only tombstones;\#
         otherwise none."}},"required":[],"additionalProperties":false,"description":"A note must match all members.","examples"\#
        :[{"prefix":"work/"}]},"Client":{"type":"object","properties":{"name":{"$ref":"#/components/schemas/Label"},"version":{"\#
        $ref":"#/components/schemas/Label"}},"required":["name"],"examples":[{"name":"notesctl","version":"0.1.0"}]},"User":{"ty\#
        pe":"object","properties":{"uid":{"type":"integer","minimum":0},"name":{"type":"string"}},"required":["uid","name"]},"Au\#
        thor":{"type":"object","properties":{"user":{"type":"string"},"label":{"oneOf":[{"type":"string"},{"type":"null"}]}},"re\#
        quired":["user","label"]},"Limits":{"type":"object","properties":{"maxLineBytes":{"type":"integer","minimum":0,"descript\#
        ion":"The length of a line, without its LF."},"maxNoteBytes":{"type":"integer","minimum":0},"maxInFlight":{"type":"integ\#
        er","minimum":0,"description":"The number of requests without a response."},"maxDepth":{"type":"integer","minimum":0,"de\#
        scription":"The depth of nested arrays and objects."},"maxResponseBytes":{"type":"integer","minimum":0,"description":"Th\#
        e size of all unread responses."}},"required":["maxLineBytes","maxNoteBytes","maxInFlight","maxDepth","maxResponseBytes"\#
        ]},"SearchQuery":{"type":"string","maxLength":4096,"examples":["milk bread"]},"Hit":{"type":"object","properties":{"note\#
        ":{"$ref":"#/components/schemas/Note"},"snippet":{"type":"string","description":"An exact piece of the note's text, arou\#
        nd the first match."},"ranges":{"type":"array","items":{"type":"object","properties":{"start":{"type":"integer","minimum\#
        ":0},"end":{"type":"integer","minimum":0}},"required":["start","end"]},"description":"The matches in the snippet, in the\#
         session's encoding, ascending and separate."}},"required":["note","snippet","ranges"]},"Conflict":{"type":"object","pro\#
        perties":{"id":{"$ref":"#/components/schemas/ConflictId"},"kind":{"type":"string","enum":["text","name","deletion"]},"ra\#
        nge":{"type":"object","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer","minimum":0}},"requir\#
        ed":["start","end"],"description":"Whole lines of the merged text, in the session's encoding; all of it for a deletion, \#
        an empty range at its start for a name."},"base":{"oneOf":[{"type":"string"},{"type":"null"}],"description":"What all si\#
        des started from: the lines, the name or null, or null for a deletion."},"sides":{"type":"array","items":{"$ref":"#/comp\#
        onents/schemas/Side"}}},"required":["id","kind","range"],"description":"A mark where concurrent writes touch. base and s\#
        ides are present where the note has text or edits, and in outcomes."},"Side":{"type":"object","properties":{"dot":{"$ref\#
        ":"#/components/schemas/Dot"},"withdrawn":{"type":"boolean","description":"true: the revision is withdrawn, and text is \#
        what its parents show; otherwise absent."},"author":{"$ref":"#/components/schemas/Author"},"modified":{"$ref":"#/compone\#
        nts/schemas/Time"},"text":{"type":"string","description":"The text of this side in place of the range; its whole text if\#
         another side deleted the note."},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"null"}]},"deleted":\#
        {"type":"boolean","description":"true: this side deleted the note."}},"required":["dot","author","modified"],"descriptio\#
        n":"One side of a conflict, at its newest revision, or a withdrawn revision. It has one of text, name and deleted."},"No\#
        te":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId"},"name":{"oneOf":[{"$ref":"#/components/sc\#
        hemas/NoteName"},{"type":"null"}]},"version":{"$ref":"#/components/schemas/Version"},"siblings":{"type":"array","items":\#
        {"$ref":"#/components/schemas/Dot"}},"vector":{"type":"object","additionalProperties":{"type":"integer"}},"conflicts":{"\#
        type":"array","items":{"$ref":"#/components/schemas/Conflict"}},"title":{"type":"string"},"tags":{"type":"array","items"\#
        :{"type":"string"}},"created":{"$ref":"#/components/schemas/Time"},"modified":{"$ref":"#/components/schemas/Time"},"auth\#
        or":{"$ref":"#/components/schemas/Author"},"bytes":{"type":"integer","minimum":0},"deleted":{"type":"boolean"},"text":{"\#
        type":"string"},"base":{"$ref":"#/components/schemas/Version"},"edits":{"type":"array","items":{"$ref":"#/components/sch\#
        emas/Edit"}}},"required":["id","name","version","conflicts","title","tags","created","modified","author","bytes","delete\#
        d"],"description":"siblings and vector are present only in note.get; text or edits where the client asked for them; base\#
         with edits in watch lines."},"NoteLeft":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/NoteId"},"ver\#
        sion":{"$ref":"#/components/schemas/Version"}},"required":["id","version"],"description":"A note that no longer matches \#
        the filter."},"MergedText":{"type":"object","properties":{"version":{"$ref":"#/components/schemas/Version"},"edits":{"ty\#
        pe":"array","items":{"$ref":"#/components/schemas/Edit"}},"conflicts":{"type":"array","items":{"$ref":"#/components/sche\#
        mas/Conflict"}},"text":{"type":"string"},"deleted":{"type":"boolean","description":"true if the note is deleted; otherwi\#
        se absent."}},"required":["version","conflicts"],"description":"The state that the daemon shows, if its version is not t\#
        hat of the outcome, and always after note.undo. edits turn the text sent, or after note.undo the text of base, into the \#
        merged text; version is the base to use once the client shows the merged text."},"Outcome":{"type":"object","properties"\#
        :{"outcome":{"type":"string","enum":["saved","merged","conflicted","unchanged"]},"dot":{"$ref":"#/components/schemas/Dot\#
        "},"version":{"$ref":"#/components/schemas/Version"},"note":{"$ref":"#/components/schemas/MergedText"},"replayed":{"type\#
        ":"boolean"}},"required":["outcome","version"],"description":"dot is absent if the outcome is unchanged. replayed is pre\#
        sent if the client sent the op before."},"Revision":{"type":"object","properties":{"dot":{"$ref":"#/components/schemas/D\#
        ot"},"parents":{"type":"array","items":{"$ref":"#/components/schemas/Dot"}},"version":{"$ref":"#/components/schemas/Vers\#
        ion"},"author":{"$ref":"#/components/schemas/Author"},"modified":{"$ref":"#/components/schemas/Time"},"bytes":{"type":"i\#
        nteger","minimum":0},"deleted":{"type":"boolean"},"name":{"oneOf":[{"$ref":"#/components/schemas/NoteName"},{"type":"nul\#
        l"}]},"kind":{"type":"string","enum":["saved","edited","undo"]},"compacted":{"type":"boolean","description":"true if com\#
        paction removed the text; otherwise absent."},"withdraws":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"d\#
        escription":"The revisions that an undo withdraws; otherwise absent."},"withdrawn":{"type":"boolean","description":"true\#
         if the revision is withdrawn in the newest version; otherwise absent."},"resolves":{"type":"array","items":{"$ref":"#/c\#
        omponents/schemas/ConflictId"},"description":"The conflicts that the write named as resolved; otherwise absent."}},"requ\#
        ired":["dot","parents","version","author","modified","bytes","deleted","name","kind"]},"Setting":{"type":"object","prope\#
        rties":{"key":{"type":"string","examples":["limits.depth_max"]},"value":{"oneOf":[{"type":"string"},{"type":"null"}],"de\#
        scription":"As in the configuration file; null if the setting is unset and the daemon chooses."},"source":{"type":"strin\#
        g","description":"A file, \"environment NAME\", \"option NAME\", \"service manager\" or \"default\"."},"reloadable":{"ty\#
        pe":"boolean","description":"Whether a running daemon can apply a change."},"pending":{"oneOf":[{"type":"string"},{"type\#
        ":"null"}],"description":"The value that the next start will use, if it differs."}},"required":["key","value","source","\#
        reloadable","pending"]},"Finding":{"type":"object","properties":{"note":{"oneOf":[{"$ref":"#/components/schemas/NoteId"}\#
        ,{"type":"null"}]},"dot":{"oneOf":[{"$ref":"#/components/schemas/Dot"},{"type":"null"}]},"message":{"type":"string","des\#
        cription":"A sentence for people."},"affects":{"type":"string","enum":["texts","derived"],"description":"derived: only d\#
        ata that the daemon derives from revisions, such as names, conflicts and the search index; texts are not affected. Anyth\#
        ing else, or absent: texts may be affected."}},"required":["note","dot","message"],"description":"Something that an audi\#
        t found. note and dot are null where it concerns none."},"Waiting":{"type":"object","properties":{"note":{"$ref":"#/comp\#
        onents/schemas/NoteId"},"revisions":{"type":"integer","minimum":0,"description":"The number of waiting revisions."},"par\#
        ents":{"type":"array","items":{"$ref":"#/components/schemas/Dot"},"description":"The missing parents, at most 100 of the\#
        m."}},"required":["note","revisions","parents"],"description":"Revisions of one note from other replicas that wait for t\#
        heir parents."},"Selection":{"type":"object","properties":{"start":{"type":"integer","minimum":0},"end":{"type":"integer\#
        ","minimum":0}},"required":["start","end"],"description":"Offsets in the session's encoding. A text cursor starts where \#
        it ends."},"Presence":{"type":"object","properties":{"note":{"$ref":"#/components/schemas/NoteId"},"version":{"$ref":"#/\#
        components/schemas/Version"},"selection":{"oneOf":[{"$ref":"#/components/schemas/Selection"},{"type":"null"}]}},"require\#
        d":["note","version","selection"]},"Dependent":{"type":"object","properties":{"dependent":{"type":"integer","minimum":0}\#
        ,"client":{"$ref":"#/components/schemas/Client"},"label":{"oneOf":[{"$ref":"#/components/schemas/Label"},{"type":"null"}\#
        ]},"user":{"$ref":"#/components/schemas/User"},"watches":{"type":"integer","minimum":0,"description":"The number of its \#
        watches."},"state":{"type":"string","enum":["synced","lagging","reset"],"description":"synced: everything was sent. lagg\#
        ing: something is pending. reset: the daemon dropped lines and has not replaced them yet."},"outboxBytes":{"type":"integ\#
        er","minimum":0,"description":"The size of everything that is pending."},"presence":{"oneOf":[{"$ref":"#/components/sche\#
        mas/Presence"},{"type":"null"}],"description":"The note that the user has open on this connection."}},"required":["depen\#
        dent","client","label","user","watches","state","outboxBytes","presence"]}},"errors":{"parse_error":{"code":-32700,"mess\#
        age":"The line is not valid JSON for this protocol.","data":{"kind":"parse_error","retryable":false,"details":["offset"]\#
        }},"invalid_request":{"code":-32600,"message":"The line is not a JSON-RPC request, or not allowed at this point.","data"\#
        :{"kind":"invalid_request","retryable":false,"details":["path"]}},"method_not_found":{"code":-32601,"message":"There is \#
        no such method.","data":{"kind":"method_not_found","retryable":false,"details":[]}},"invalid_params":{"code":-32602,"mes\#
        sage":"A param is missing, unknown, or of the wrong type or form.","data":{"kind":"invalid_params","retryable":false,"de\#
        tails":["path","offset"]}},"internal":{"code":-32603,"message":"The daemon failed because of a bug.","data":{"kind":"int\#
        ernal","retryable":false,"details":[]}},"hello_required":{"code":1001,"message":"Send session.hello first.","data":{"kin\#
        d":"hello_required","retryable":false,"details":[]}},"unsupported_protocol":{"code":1002,"message":"The client and the d\#
        aemon have no protocol version in common.","data":{"kind":"unsupported_protocol","retryable":false,"details":["supported\#
        "]}},"note_not_found":{"code":2001,"message":"There is no such note.","data":{"kind":"note_not_found","retryable":false,\#
        "details":[]}},"note_exists":{"code":2002,"message":"The id or the name is taken.","data":{"kind":"note_exists","retryab\#
        le":false,"details":["id"]}},"unknown_base":{"code":2003,"message":"The base names a revision that is unknown or not thi\#
        s note's.","data":{"kind":"unknown_base","retryable":false,"details":["known"]}},"revision_gone":{"code":2004,"message":\#
        "Compaction removed the text of that version.","data":{"kind":"revision_gone","retryable":false,"details":["version"]}},\#
        "base_required":{"code":2005,"message":"A write to an existing note needs a base.","data":{"kind":"base_required","retry\#
        able":false,"details":["version"]}},"invalid_edit":{"code":2006,"message":"An edit does not fit the text of the base.","\#
        data":{"kind":"invalid_edit","retryable":false,"details":["index"]}},"invalid_name":{"code":2007,"message":"This is not \#
        a valid name for a note.","data":{"kind":"invalid_name","retryable":false,"details":[]}},"storage_full":{"code":3001,"me\#
        ssage":"The disk is full.","data":{"kind":"storage_full","retryable":true,"details":[]}},"storage_failed":{"code":3002,"\#
        message":"The store failed to read or write.","data":{"kind":"storage_failed","retryable":true,"details":[]}},"read_only\#
        ":{"code":3003,"message":"The store is read-only.","data":{"kind":"read_only","retryable":false,"details":[]}},"line_too\#
        _long":{"code":4001,"message":"The line is too long; the daemon skipped it. The third such line closes the connection.",\#
        "data":{"kind":"line_too_long","retryable":false,"details":["limit"]}},"note_too_large":{"code":4002,"message":"The note\#
         would be too large.","data":{"kind":"note_too_large","retryable":false,"details":["bytes","limit"]}},"overloaded":{"cod\#
        e":4003,"message":"The daemon is overloaded.","data":{"kind":"overloaded","retryable":"true, except if the connection ha\#
        s too many watches","details":[]}},"permission_denied":{"code":6001,"message":"The user does not have the access that th\#
        is needs.","data":{"kind":"permission_denied","retryable":false,"details":[]}},"shutting_down":{"code":7001,"message":"T\#
        he daemon is stopping.","data":{"kind":"shutting_down","retryable":true,"details":[]}}}}}
        """#
}
