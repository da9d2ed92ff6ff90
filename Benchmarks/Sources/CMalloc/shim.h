// What the Glibc module leaves out: mallinfo2, which counts the bytes of the heap.
#ifdef __linux__
#include <malloc.h>
#endif
