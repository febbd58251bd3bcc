// The images of the rows of lists.
#pragma once

#include <gtk/gtk.h>
#include "remote-image-pipeline.h"
#include "remote-image-source.h"

G_BEGIN_DECLS

/**
 * RemoteImageItemFunc:
 * @item: an item of the model of a list
 * @user_data: the data of the function
 *
 * Returns the image that the row of an item will show. Called on the main thread.
 *
 * Returns: (transfer full) (nullable): a source, or %NULL for no image
 */
typedef RemoteImageSource *(*RemoteImageItemFunc)(GObject *item, gpointer user_data);

/**
 * remote_image_list_prefetch:
 * @list: a #GtkListView, a #GtkGridView or a #GtkColumnView
 * @pipeline: (nullable): the pipeline that loads the images, or %NULL for that of the views in the
 *   visible rows
 * @max_pixel_size: pixels of the longer side at most, which also choose among several sizes, or 0
 *   for the size and the options, also the headers and credentials, of the first #RemoteImageView
 *   in the visible rows; without such a view, 0 is for all pixels
 * @func: (nullable) (scope notified) (closure user_data) (destroy destroy): returns the image of an
 *   item, or %NULL to end prefetching
 * @user_data: for @func
 * @destroy: (nullable): called for @user_data on the main thread, after its last use
 *
 * Loads the images of the next page of rows into the memory cache, in the direction of scrolling,
 * before the rows become visible: a few at a time, after all other loads. Rows that are no longer
 * ahead are cancelled. While the list is not mapped, the network is metered or the desktop saves
 * power, no load is started.
 *
 * The rows should have equal heights. Prefetching follows changes of the model and of its items,
 * also of their order, and ends with the list. Another call for the same list replaces @func.
 */
void remote_image_list_prefetch(
    GtkWidget *list, RemoteImagePipeline *pipeline, int max_pixel_size, RemoteImageItemFunc func, gpointer user_data,
    GDestroyNotify destroy);

G_END_DECLS
