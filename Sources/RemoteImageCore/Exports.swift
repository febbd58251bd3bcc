// Re-exports the types that all decoders share, so that programs need only import this module.
@_exported import RemoteImageDecoding

// So that programs name header fields without importing HTTPTypes. Its other types stay out: their
// names are those of HTTP servers, too.
@_exported import struct HTTPTypes.HTTPField
@_exported import struct HTTPTypes.HTTPFields
