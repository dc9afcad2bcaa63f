// NotesWire
