// The finish functions of the asynchronous calls of a pipeline, one line for each call.
#define G_LOG_DOMAIN "RemoteImage"
#include "remote-image.h"

// The task of a result; `NULL` with a critical message if the result is not that of a call on the
// pipeline. The source tag of a task is the name of the function that started it.
static GTask *task_of(GAsyncResult *result, RemoteImagePipeline *pipeline, const char *call, const char *function) {
    if (g_task_is_valid(result, pipeline) && g_task_get_source_tag(G_TASK(result)) == g_intern_static_string(call))
        return G_TASK(result);
    g_critical("%s: the result is not that of %s() on this object", function, call);
    return NULL;
}

#define FINISH(Type, call, value, fallback)                                                             \
    Type remote_image_pipeline_##call##_finish(                                                         \
        RemoteImagePipeline *self, GAsyncResult *result, GError **error) {                              \
        GTask *task = task_of(result, self, "remote_image_pipeline_" #call "_async", __func__);         \
        return task ? value : fallback;                                                                 \
    }
// The caller owns the object or the bytes.
#define POINTER(Type, call) FINISH(Type, call, g_task_propagate_pointer(task, error), NULL)
#define SUCCESS(call) FINISH(gboolean, call, g_task_propagate_int(task, error) >= 0, FALSE)

POINTER(GdkTexture *, load_texture)
POINTER(GdkTexture *, load_source_texture)
POINTER(GBytes *, load_bytes)
POINTER(GBytes *, load_source_bytes)
POINTER(GIcon *, load_icon)
POINTER(GIcon *, load_source_icon)
POINTER(RemoteImageFile *, load_file)
POINTER(RemoteImageFile *, load_source_file)
POINTER(RemoteImageSource *, load_iiif_source)
FINISH(gssize, get_disk_usage, g_task_propagate_int(task, error), -1)
SUCCESS(trim_disk)
SUCCESS(remove_stored_sizes)
SUCCESS(remove)
SUCCESS(remove_account)
SUCCESS(remove_identity)
