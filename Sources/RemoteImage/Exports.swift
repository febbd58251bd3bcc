@_exported import RemoteImageCore
@_exported import RemoteImageDecoders
