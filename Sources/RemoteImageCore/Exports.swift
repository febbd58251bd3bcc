// What decoders share is part of this module for those who import it.
@_exported import RemoteImageDecoding
