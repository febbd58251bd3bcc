// The C functions of lists. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_list_prefetch(
    _ list: UnsafeMutablePointer<GtkWidget>?, _ pipeline: OpaquePointer?, _ max_pixel_size: Int32,
    _ func: RemoteImageItemFunc?, _ user_data: gpointer?, _ destroy: GDestroyNotify?
) {
    let data = CallbackData(user_data, destroy)
    guard MainLoop.isUsable(in: "remote_image_list_prefetch"), !isNegative(Int(max_pixel_size), "max_pixel_size")
    else { return }
    // Neither leaves this call, which is on the main thread.
    nonisolated(unsafe) let (list, pipeline) = (list, pipeline)
    let function = `func`
    MainActor.assumeIsolated {
        var chosen: ImagePipeline?
        if let pipeline {
            chosen = PipelineObject.with(
                pipeline, default: nil, as: "pipeline", function: "remote_image_list_prefetch"
            ) { $0.pipeline }
            guard chosen != nil else { return }
        }
        let source = function.map { function -> ListPrefetcher.Source in
            { item in
                let item = item.assumingMemoryBound(to: GObject.self)
                guard let source = function(item, data.pointer) else { return nil }
                defer { g_object_unref(UnsafeMutableRawPointer(source)) }
                return SourceArguments.source(
                    source, as: "the result of func", function: "remote_image_list_prefetch")
            }
        }
        let isList = list.map {
            ListPrefetcher.set(
                source, on: $0, pipeline: chosen, maxPixelSize: max_pixel_size > 0 ? Int(max_pixel_size) : nil)
        }
        if isList != true {
            shim_critical("remote_image_list_prefetch: list is no GtkListView, GtkGridView or GtkColumnView")
        }
    }
}
