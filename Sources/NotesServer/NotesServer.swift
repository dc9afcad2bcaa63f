// NotesServer
