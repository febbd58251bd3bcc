#include "CRemoteImageCodecs.h"
