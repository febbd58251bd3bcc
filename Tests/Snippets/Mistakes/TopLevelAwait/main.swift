// error: make main synchronous
import RemoteImageGtk

await Task.yield()
try MainLoop.install()
