#ifndef CLIBXML2_SHIM_H
#define CLIBXML2_SHIM_H

#include <libxml/xmlversion.h>
/// In some builds, the library's headers include headers of ICU. These define types that Foundation also defines. The
/// kit uses none of these types.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>
#include <libxml/xmlschemas.h>
#include <libxml/xmlwriter.h>

/// `xmlFree` is a mutable global function pointer, which Swift 6 refuses to read.
static inline void clibxml2_free(void *pointer) { xmlFree(pointer); }

/// Prints nothing. Important messages go to the handler of a reader or a schema. The other messages are remarks of the
/// library about its own work, such as one for each entity in a validated document.
static void clibxml2_ignore(void *context, const char *message, ...) {
  (void)context;
  (void)message;
}

/// Keeps the library from writing to stderr in this thread. Swift cannot refer to a C function with a variable number
/// of arguments.
static inline void clibxml2_silence(void) { xmlSetGenericErrorFunc(NULL, clibxml2_ignore); }

#endif
