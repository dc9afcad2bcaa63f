#if !__has_include(<cmark-gfm-core-extensions.h>)
#error "The headers of cmark-gfm are missing; install libcmark-gfm-dev and libcmark-gfm-extensions-dev, or build with NOTESD_PAGE=no, without the page."
#endif

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
