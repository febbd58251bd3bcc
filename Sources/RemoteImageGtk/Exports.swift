// So that a file that declares state and widgets needs one import.
@_exported import GtkDeclarations
@_exported import Observation
@_exported import RemoteImage
@_exported import RemoteImageCore
