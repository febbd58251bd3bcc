@_exported import RemoteImagePixbuf
