// The C accessors of the GObject properties, one line for each property. They read and write
// through GObject, so that the tables of the Swift classes decide about ranges and notifications.
#include "remote-image.h"
#include "../CRemoteImageGtk/objects.h"

// Whether an object has a type and can be used on this thread. If not, logs a critical message with
// the name of the function. Defined in ObjectAccess.swift.
extern gboolean remote_image_can_use(gpointer object, GType (*type)(void), const char *function);

#define CAN_USE(owner) remote_image_can_use(self, remote_image_##owner##_get_type, __func__)

typedef RemoteImageView remote_image_view;
typedef RemoteImageViewer remote_image_viewer;
typedef RemoteImagePaintable remote_image_paintable;
typedef RemoteImagePipeline remote_image_pipeline;
typedef RemoteImageAuthorization remote_image_authorization;
typedef RemoteImageFile remote_image_file;

#define SETTER(owner, Type, property)                                                           \
    void remote_image_##owner##_set_##property(remote_image_##owner *self, Type property) {     \
        if (CAN_USE(owner)) g_object_set(self, #property, property, NULL);                      \
    }

// Numbers, booleans, enumerations and flags. The getter of an unusable object returns `fallback`.
#define VALUE_GETTER(owner, Type, property, fallback)                                           \
    Type remote_image_##owner##_get_##property(remote_image_##owner *self) {                    \
        Type value = fallback;                                                                  \
        if (CAN_USE(owner)) g_object_get(self, #property, &value, NULL);                        \
        return value;                                                                           \
    }
#define VALUE(owner, Type, property, fallback)                                                  \
    VALUE_GETTER(owner, Type, property, fallback)                                               \
    SETTER(owner, Type, property)

// The object owns the text that the getter returns, until the property is read with another value.
#define TEXT_GETTER(owner, property)                                                            \
    const char *remote_image_##owner##_get_##property(remote_image_##owner *self) {             \
        char *text = NULL;                                                                      \
        if (!CAN_USE(owner)) return NULL;                                                       \
        g_object_get(self, #property, &text, NULL);                                             \
        return shim_keep_text(self, "remote-image-" #property, text);                           \
    }
#define TEXT(owner, property)                                                                   \
    TEXT_GETTER(owner, property)                                                                \
    SETTER(owner, const char *, property)

// Lists of texts, owned like a text. The getter returns `NULL` for an empty list.
#define TEXTS(owner, property)                                                                  \
    const char *const *remote_image_##owner##_get_##property(remote_image_##owner *self) {      \
        char **texts = NULL;                                                                    \
        if (!CAN_USE(owner)) return NULL;                                                       \
        g_object_get(self, #property, &texts, NULL);                                            \
        return shim_keep_texts(self, "remote-image-" #property, texts);                         \
    }                                                                                           \
    SETTER(owner, const char *const *, property)

// The property keeps the reference of the object that the getter returns.
#define OBJECT_GETTER(owner, Type, property)                                                    \
    Type remote_image_##owner##_get_##property(remote_image_##owner *self) {                    \
        Type object = NULL;                                                                     \
        if (CAN_USE(owner)) g_object_get(self, #property, &object, NULL);                       \
        if (object) g_object_unref(object);                                                     \
        return object;                                                                          \
    }
#define OBJECT(owner, Type, property)                                                           \
    OBJECT_GETTER(owner, Type, property)                                                        \
    SETTER(owner, Type, property)

// What views and paintables have in common.
#define IMAGE(owner)                                                                            \
    TEXT(owner, uri)                                                                            \
    OBJECT(owner, RemoteImageSource *, source)                                                  \
    OBJECT(owner, RemoteImagePipeline *, pipeline)                                              \
    OBJECT(owner, RemoteImageAuthorization *, authorization)                                    \
    VALUE_GETTER(owner, RemoteImagePhase, phase, REMOTE_IMAGE_PHASE_EMPTY)                      \
    VALUE_GETTER(owner, double, progress, 0)                                                    \
    VALUE_GETTER(owner, int, status, 0)                                                         \
    OBJECT_GETTER(owner, GdkTexture *, texture)                                                 \
    VALUE_GETTER(owner, int, image_width, 0)                                                    \
    VALUE_GETTER(owner, int, image_height, 0)

IMAGE(view)
TEXT(view, low_data_uri)
TEXTS(view, fallback_uris)
TEXT(view, identity)
TEXTS(view, headers)
VALUE(view, RemoteImageLoadOptions, load_options, 0)
VALUE(view, RemoteImageCachePolicy, cache_policy, REMOTE_IMAGE_CACHE_POLICY_HTTP)
VALUE(view, gboolean, stored_sizes, TRUE)
VALUE(view, RemoteImagePriority, priority, REMOTE_IMAGE_PRIORITY_NORMAL)
VALUE(view, int, max_pixel_size, 0)
VALUE(view, gboolean, keep_while_loading, FALSE)
VALUE(view, int, transition_duration, 0)
VALUE(view, gboolean, transition_cached, FALSE)
VALUE(view, GtkContentFit, content_fit, GTK_CONTENT_FIT_FILL)
VALUE(view, int, corner_radius, 0)
TEXT(view, alternative_text)
VALUE(view, gboolean, decorative, FALSE)
OBJECT(view, GtkWidget *, placeholder)
OBJECT(view, GtkWidget *, failure)
TEXT(view, placeholder_icon_name)
VALUE(view, int, placeholder_icon_size, 0)
TEXT(view, thumb_hash)
TEXT(view, blur_hash)
VALUE(view, RemoteImagePreviewOptions, previews, 0)
VALUE(view, double, aspect_ratio, 0)
VALUE(view, int, reserved_width, 0)
VALUE(view, int, reserved_height, 0)
OBJECT(view, RemoteImageProcessor *, processor)
VALUE(view, double, image_scale, 1)
VALUE(view, double, xalign, 0.5)
VALUE(view, double, yalign, 0.5)
VALUE(view, double, focus_x, 0)
VALUE(view, double, focus_y, 0)
VALUE(view, gboolean, playing, TRUE)
VALUE(view, gboolean, context_menu, FALSE)
OBJECT(view, GMenuModel *, extra_menu)
VALUE(view, int, delay, 0)
VALUE(view, int, viewport_margin, 200)
VALUE(view, int, disappear_delay, 300)
VALUE(view, int, release_delay, 5000)
VALUE(view, int, expiry, -1)
VALUE(view, gboolean, show_stored_while_loading, FALSE)
VALUE(view, int, timeout, 0)
VALUE(view, int, max_retries, -1)
VALUE(view, gboolean, wait_for_network, FALSE)
VALUE_GETTER(view, gboolean, animated, FALSE)

VALUE(viewer, RemoteImageViewerFit, fit, REMOTE_IMAGE_VIEWER_FIT_WHOLE)
VALUE(viewer, double, max_zoom, 8)
VALUE(viewer, double, zoom, 0)
OBJECT_GETTER(viewer, RemoteImageView *, view)

IMAGE(paintable)

OBJECT(pipeline, RemoteImageAuthorization *, authorization)
TEXT(pipeline, proxy)

TEXT_GETTER(authorization, account)
TEXTS(authorization, origins)
TEXT(authorization, header_name)

OBJECT_GETTER(file, GFile *, file)
