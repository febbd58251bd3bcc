@_exported import RemoteImageDecoders
