@_exported import RemoteImageCore
