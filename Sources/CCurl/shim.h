// libcurl for Swift. Its variadic setters do not import, so each option that is used has a typed
// inline function here.
#pragma once
#include <curl/curl.h>
