import RemoteImageGtk

await Task.yield()
try MainLoop.install()
