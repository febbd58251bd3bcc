@_exported import RemoteImageDecoding
