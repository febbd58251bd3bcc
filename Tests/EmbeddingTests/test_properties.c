// The properties of the widget from C: each is set, read and notified, with its functions and by
// name.
//
//   test_properties ADDRESS    the address of the test server (images.py)
#include "fixture.h"

/// A property, a function that sets it with its setter, and one that checks its value with the
/// getter and by name.
typedef struct {
    const char *name;
    void (*set)(RemoteImageView *view);
    void (*check)(RemoteImageView *view);
} Property;

#define TEXT(property, value)                                                                 \
    static void set_##property(RemoteImageView *view) {                                       \
        remote_image_view_set_##property(view, value);                                        \
    }                                                                                         \
    static void check_##property(RemoteImageView *view) {                                     \
        g_autofree char *read = NULL;                                                         \
        g_object_get(view, #property, &read, NULL);                                           \
        g_assert_cmpstr(read, ==, value);                                                     \
        const char *kept = remote_image_view_get_##property(view);                            \
        g_assert_cmpstr(kept, ==, value);                                                     \
        /* The view owns the value until it changes; repeated reads return the same pointer. */ \
        g_assert_true(remote_image_view_get_##property(view) == kept);                        \
    }

#define NUMBER(property, value)                                                               \
    static void set_##property(RemoteImageView *view) {                                       \
        remote_image_view_set_##property(view, value);                                        \
    }                                                                                         \
    static void check_##property(RemoteImageView *view) {                                     \
        int read = -1;                                                                        \
        g_object_get(view, #property, &read, NULL);                                           \
        g_assert_cmpint(read, ==, value);                                                     \
        g_assert_cmpint(remote_image_view_get_##property(view), ==, value);                   \
    }

#define DECIMAL(property, value)                                                              \
    static void set_##property(RemoteImageView *view) {                                       \
        remote_image_view_set_##property(view, value);                                        \
    }                                                                                         \
    static void check_##property(RemoteImageView *view) {                                     \
        double read = -1;                                                                     \
        g_object_get(view, #property, &read, NULL);                                           \
        g_assert_cmpfloat(read, ==, value);                                                   \
        g_assert_cmpfloat(remote_image_view_get_##property(view), ==, value);                 \
    }

#define TEXTS(property, ...)                                                                  \
    static const char *const property##_value[] = {__VA_ARGS__, NULL};                        \
    static void set_##property(RemoteImageView *view) {                                       \
        remote_image_view_set_##property(view, property##_value);                             \
    }                                                                                         \
    static void check_##property(RemoteImageView *view) {                                     \
        g_auto(GStrv) read = NULL;                                                            \
        g_object_get(view, #property, &read, NULL);                                           \
        g_assert_cmpstrv(read, property##_value);                                             \
        const char *const *kept = remote_image_view_get_##property(view);                     \
        g_assert_cmpstrv(kept, property##_value);                                             \
        g_assert_true(remote_image_view_get_##property(view) == kept);                        \
    }

#define OBJECT(property, value)                                                               \
    static void set_##property(RemoteImageView *view) {                                       \
        remote_image_view_set_##property(view, value);                                        \
    }                                                                                         \
    static void check_##property(RemoteImageView *view) {                                     \
        g_autoptr(GObject) read = NULL;                                                       \
        g_object_get(view, #property, &read, NULL);                                           \
        g_assert_true((gpointer)read == (gpointer)(value));                                   \
        g_assert_true((gpointer)remote_image_view_get_##property(view) == (gpointer)(value)); \
    }

G_STATIC_ASSERT(REMOTE_IMAGE_CHECK_VERSION(1, 0, 0));
G_STATIC_ASSERT(REMOTE_IMAGE_CHECK_VERSION(REMOTE_IMAGE_MAJOR_VERSION - 1, 99, 99));
G_STATIC_ASSERT(!REMOTE_IMAGE_CHECK_VERSION(REMOTE_IMAGE_MAJOR_VERSION, REMOTE_IMAGE_MINOR_VERSION + 1, 0));
G_STATIC_ASSERT(!REMOTE_IMAGE_CHECK_VERSION(REMOTE_IMAGE_MAJOR_VERSION + 1, 0, 0));

static RemoteImagePipeline *some_pipeline;
static RemoteImageSource *some_source;
static RemoteImageProcessor *some_processor;
static RemoteImageAuthorization *some_authorization;
static GtkWidget *some_placeholder, *some_failure;
static GMenuModel *some_menu;

// Each property and a value that is not its default.
#define PROPERTIES(TEXT, TEXTS, NUMBER, DECIMAL, OBJECT) \
    TEXT(uri, "https://example.org/1.jpg") \
    OBJECT(source, some_source) \
    TEXT(low_data_uri, "https://example.org/small.jpg") \
    TEXTS(fallback_uris, "https://example.org/2.jpg", "https://example.org/3.jpg") \
    TEXT(identity, "one") \
    TEXTS(headers, "X-Key: open", "Accept-Language: de") \
    OBJECT(pipeline, some_pipeline) \
    OBJECT(authorization, some_authorization) \
    NUMBER(load_options, REMOTE_IMAGE_LOAD_ON_APPEAR) \
    NUMBER(cache_policy, REMOTE_IMAGE_CACHE_POLICY_STORED_ONLY) \
    NUMBER(stored_sizes, FALSE) \
    NUMBER(priority, REMOTE_IMAGE_PRIORITY_VERY_LOW) \
    NUMBER(max_pixel_size, 512) \
    NUMBER(keep_while_loading, TRUE) \
    NUMBER(transition_duration, 200) \
    NUMBER(content_fit, GTK_CONTENT_FIT_COVER) \
    NUMBER(corner_radius, 5) \
    TEXT(alternative_text, "Eine Katze, müde") \
    NUMBER(decorative, TRUE) \
    OBJECT(placeholder, some_placeholder) \
    OBJECT(failure, some_failure) \
    TEXT(placeholder_icon_name, "image-x-generic-symbolic") \
    NUMBER(placeholder_icon_size, 24) \
    TEXT(thumb_hash, "FfYC9Kh4jD+Ah4h3d5ePePiIiA==") \
    TEXT(blur_hash, "LEHV6nWB2yk8pyo0adR*.7kCMdnj") \
    NUMBER(previews, REMOTE_IMAGE_PREVIEW_EMBEDDED_THUMBNAIL | REMOTE_IMAGE_PREVIEW_PROGRESSIVE) \
    DECIMAL(aspect_ratio, 1.5) \
    NUMBER(reserved_width, 320) \
    NUMBER(reserved_height, 240) \
    NUMBER(transition_cached, TRUE) \
    OBJECT(processor, some_processor) \
    DECIMAL(image_scale, 2.0) \
    DECIMAL(xalign, 0.0) \
    DECIMAL(yalign, 1.0) \
    DECIMAL(focus_x, 0.5) \
    DECIMAL(focus_y, -0.5) \
    NUMBER(playing, FALSE) \
    NUMBER(context_menu, TRUE) \
    OBJECT(extra_menu, some_menu) \
    NUMBER(delay, 100) \
    NUMBER(viewport_margin, 0) \
    NUMBER(disappear_delay, 0) \
    NUMBER(release_delay, -1) \
    NUMBER(expiry, 0) \
    NUMBER(show_stored_while_loading, TRUE) \
    NUMBER(timeout, 5) \
    NUMBER(max_retries, 0) \
    NUMBER(wait_for_network, TRUE)

PROPERTIES(TEXT, TEXTS, NUMBER, DECIMAL, OBJECT)

#define PROPERTY(property, ...) {#property, set_##property, check_##property},
static const Property properties[] = {PROPERTIES(PROPERTY, PROPERTY, PROPERTY, PROPERTY, PROPERTY)};

static void count_own(GObject *object, GParamSpec *spec, int *number) {
    *number += spec->owner_type == REMOTE_IMAGE_TYPE_VIEW;
}

static void test_set_read_notified(void) {
    for (gsize index = 0; index < G_N_ELEMENTS(properties); index++) {
        const Property *property = &properties[index];
        g_test_message("%s", property->name);
        g_autoptr(RemoteImageView) view = new_view();
        g_autofree char *detailed = g_strdelimit(g_strconcat("notify::", property->name, NULL), "_", '-');
        int notified = 0, others = 0;
        g_signal_connect(view, detailed, G_CALLBACK(count), &notified);
        g_signal_connect(view, "notify", G_CALLBACK(count_own), &others);
        property->set(view);
        property->check(view);
        g_assert_cmpint(notified, ==, 1);
        // Setting the same value again does not notify, nor do other properties, except that an
        // alignment is a focal point, too.
        gboolean is_two = strstr(property->name, "align") || strstr(property->name, "focus");
        property->set(view);
        property->check(view);
        g_assert_cmpint(notified, ==, 1);
        g_assert_cmpint(others, ==, is_two ? 2 : 1);
    }
}

/// Every writable property is in the table.
static void test_none_is_missing(void) {
    g_autofree GParamSpec **specs = NULL;
    guint number = 0, writable = 0;
    GObjectClass *class = g_type_class_ref(REMOTE_IMAGE_TYPE_VIEW);
    specs = g_object_class_list_properties(class, &number);
    for (guint index = 0; index < number; index++) {
        if (specs[index]->owner_type == REMOTE_IMAGE_TYPE_VIEW && (specs[index]->flags & G_PARAM_WRITABLE)) writable++;
    }
    g_type_class_unref(class);
    g_assert_cmpint(writable, ==, G_N_ELEMENTS(properties));
}

static void test_null(void) {
    g_autoptr(RemoteImageView) view = new_view();
    for (gsize index = 0; index < G_N_ELEMENTS(properties); index++) properties[index].set(view);
    remote_image_view_set_uri(view, NULL);
    remote_image_view_set_source(view, NULL);
    remote_image_view_set_low_data_uri(view, NULL);
    remote_image_view_set_fallback_uris(view, NULL);
    remote_image_view_set_identity(view, NULL);
    remote_image_view_set_headers(view, NULL);
    remote_image_view_set_pipeline(view, NULL);
    remote_image_view_set_authorization(view, NULL);
    remote_image_view_set_alternative_text(view, NULL);
    remote_image_view_set_placeholder(view, NULL);
    remote_image_view_set_failure(view, NULL);
    remote_image_view_set_placeholder_icon_name(view, NULL);
    remote_image_view_set_thumb_hash(view, NULL);
    remote_image_view_set_blur_hash(view, NULL);
    remote_image_view_set_processor(view, NULL);
    g_assert_null(remote_image_view_get_uri(view));
    g_assert_null(remote_image_view_get_source(view));
    g_assert_null(remote_image_view_get_low_data_uri(view));
    g_assert_null(remote_image_view_get_fallback_uris(view));
    g_assert_null(remote_image_view_get_identity(view));
    g_assert_null(remote_image_view_get_headers(view));
    g_assert_null(remote_image_view_get_pipeline(view));
    g_assert_null(remote_image_view_get_authorization(view));
    g_assert_null(remote_image_view_get_alternative_text(view));
    g_assert_null(remote_image_view_get_placeholder(view));
    g_assert_null(remote_image_view_get_failure(view));
    g_assert_null(remote_image_view_get_placeholder_icon_name(view));
    g_assert_null(remote_image_view_get_thumb_hash(view));
    g_assert_null(remote_image_view_get_blur_hash(view));
    g_assert_null(remote_image_view_get_processor(view));
}

static void test_read_only(void) {
    g_autoptr(RemoteImageView) view = new_view();
    static const char *const names[] = {"phase",       "progress",     "error",   "texture",
                                        "image-width", "image-height", "animated"};
    for (gsize index = 0; index < G_N_ELEMENTS(names); index++) {
        g_test_expect_message("GLib-GObject", G_LOG_LEVEL_WARNING, "*is not writable*");
        g_object_set(view, names[index], NULL, NULL);
        g_test_assert_expected_messages();
    }
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    some_pipeline = remote_image_pipeline_new();
    some_source = remote_image_source_new_for_uri("https://example.org/1.jpg", NULL);
    some_processor = remote_image_processor_new_grayscale();
    some_authorization = remote_image_authorization_new("anna");
    some_placeholder = g_object_ref_sink(gtk_label_new("…"));
    some_failure = g_object_ref_sink(gtk_label_new("!"));
    some_menu = G_MENU_MODEL(g_menu_new());
    g_test_add_func("/properties/set", test_set_read_notified);
    g_test_add_func("/properties/all", test_none_is_missing);
    g_test_add_func("/properties/null", test_null);
    g_test_add_func("/properties/read-only", test_read_only);
    return g_test_run();
}
