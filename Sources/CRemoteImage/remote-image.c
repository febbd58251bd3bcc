#include "remote-image.h"
