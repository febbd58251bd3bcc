/* The rivals in C: libcurl's multi interface on the main thread, decoding on other threads. Linked
 * with one decoder.
 *
 *   fetch-turbo  URLS [SIZE] [CONNECTIONS] [THREADS] [store FOLDER]
 *   fetch-pixbuf URLS [SIZE] [CONNECTIONS] [THREADS] [exact] [store FOLDER]
 *
 * URLS is a file with an address or a path in each line. With `store`, the decode threads also
 * write what was fetched to FOLDER.
 *
 * Prints the number of decoded images. */
#include "decode.h"
#include "store.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Work {
  struct Work *next;
  char *path; /* Of a local file, which the decode thread reads. */
  char *address;
  Bytes body, headers;
} Work;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrival = PTHREAD_COND_INITIALIZER;
static Work *first, **last = &first;
static int ended, depth;
static pthread_cond_t departure = PTHREAD_COND_INITIALIZER;
static int size = 320, exact;
static const char *store_folder;
static long succeeded, failed, pixels;

/* The queue is bounded, to limit the memory of images that wait for a decode thread. */
static void enqueue(Work *work) {
  pthread_mutex_lock(&lock);
  while (depth >= 16) pthread_cond_wait(&departure, &lock);
  depth++;
  *last = work;
  last = &work->next;
  pthread_cond_signal(&arrival);
  pthread_mutex_unlock(&lock);
}

static void read_file(Work *work) {
  FILE *file = fopen(work->path, "rb");
  if (!file) return;
  fseek(file, 0, SEEK_END);
  Bytes *body = &work->body;
  body->room = (size_t)ftell(file);
  rewind(file);
  body->bytes = malloc(body->room);
  body->count = body->bytes ? fread(body->bytes, 1, body->room, file) : 0;
  fclose(file);
}

static void *decode_all(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!first && !ended) pthread_cond_wait(&arrival, &lock);
    Work *work = first;
    if (work && !(first = work->next)) last = &first;
    if (work) depth--, pthread_cond_signal(&departure);
    pthread_mutex_unlock(&lock);
    if (!work) return NULL;
    if (work->path) read_file(work);
    Picture image = {0, 0};
    int made = work->body.count > 0 && decode(work->body.bytes, work->body.count, size, exact, &image);
    if (made && store_folder && work->address)
      made = store(store_folder, work->address, &work->headers, &work->body);
    pthread_mutex_lock(&lock);
    succeeded += made;
    failed += !made;
    pixels += (long)image.width * image.height;
    pthread_mutex_unlock(&lock);
    free(work->body.bytes);
    free(work->headers.bytes);
    free(work->path);
    free(work->address);
    free(work);
  }
}

static size_t receive(char *bytes, size_t one, size_t count, void *data) {
  Bytes *received = data;
  count *= one;
  if (received->count + count > received->room) {
    received->room = (received->count + count) * 2;
    unsigned char *larger = realloc(received->bytes, received->room);
    if (!larger) return 0;
    received->bytes = larger;
  }
  memcpy(received->bytes + received->count, bytes, count);
  received->count += count;
  return count;
}

/* The next line without its newline, or NULL. */
static char *next_line(FILE *file) {
  char *line = NULL;
  size_t room = 0;
  ssize_t count = getline(&line, &room, file);
  if (count <= 0) return free(line), NULL;
  if (line[count - 1] == '\n') line[count - 1] = 0;
  return line;
}

/* Gives `easy` its next address. Paths before it are passed to the decode threads directly. */
static int start(CURLM *multi, CURL *easy, FILE *addresses) {
  for (char *line; (line = next_line(addresses));) {
    Work *work = calloc(1, sizeof *work);
    if (line[0] == '/') {
      work->path = line;
      enqueue(work);
      continue;
    }
    curl_easy_setopt(easy, CURLOPT_URL, line);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &work->body);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, work);
    if (store_folder) {
      curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive);
      curl_easy_setopt(easy, CURLOPT_HEADERDATA, &work->headers);
    }
    work->address = line;
    curl_multi_add_handle(multi, easy);
    return 1;
  }
  return 0;
}

static void fetch_all(FILE *addresses, int connections) {
  curl_global_init(CURL_GLOBAL_ALL);
  CURLM *multi = curl_multi_init();
  int running = 0;
  for (int index = 0; index < connections; index++) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
    if (start(multi, easy, addresses)) running++;
    else curl_easy_cleanup(easy);
  }
  while (running > 0) {
    int active, left;
    curl_multi_perform(multi, &active);
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
      CURL *easy = message->easy_handle;
      Work *work;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&work);
      if (message->data.result != CURLE_OK) work->body.count = 0;
      curl_multi_remove_handle(multi, easy);
      enqueue(work);
      if (!start(multi, easy, addresses)) {
        curl_easy_cleanup(easy);
        running--;
      }
    }
    if (running > 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  curl_multi_cleanup(multi);
}

int main(int count, char **arguments) {
  FILE *addresses = count > 1 ? fopen(arguments[1], "r") : NULL;
  if (!addresses) {
    fprintf(stderr, "usage: %s URLS [SIZE] [CONNECTIONS] [THREADS] [exact] [store FOLDER]\n", arguments[0]);
    return 64;
  }
  size = count > 2 ? atoi(arguments[2]) : 320;
  int connections = count > 3 ? atoi(arguments[3]) : 8, threads = count > 4 ? atoi(arguments[4]) : 2;
  for (int index = 5; index < count; index++) {
    if (!strcmp(arguments[index], "exact")) exact = 1;
    else if (!strcmp(arguments[index], "store") && index + 1 < count) store_folder = arguments[++index];
  }
  pthread_t decoders[64];
  if (threads < 1 || threads > 64) threads = 2;
  for (int index = 0; index < threads; index++) pthread_create(&decoders[index], NULL, decode_all, NULL);
  fetch_all(addresses, connections);
  pthread_mutex_lock(&lock);
  ended = 1;
  pthread_cond_broadcast(&arrival);
  pthread_mutex_unlock(&lock);
  for (int index = 0; index < threads; index++) pthread_join(decoders[index], NULL);
  printf("{\"succeeded\":%ld,\"failed\":%ld,\"pixels\":%ld}\n", succeeded, failed, pixels);
  return failed > 0;
}
