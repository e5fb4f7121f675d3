#ifndef CLIBXML2_SHIM_H
#define CLIBXML2_SHIM_H

#include <libxml/xmlversion.h>
/// Headers of ICU that some builds of the library name define types that Foundation has otherwise; none is used here.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>
#include <libxml/xmlschemas.h>
#include <libxml/xmlwriter.h>

/// `xmlFree` is a mutable global function pointer, which Swift 6 refuses to read.
static inline void clibxml2_free(void *pointer) { xmlFree(pointer); }

/// Says nothing. What matters goes to the handler of a reader or a schema; the rest is notes of the library to itself,
/// such as of an entity in a validated document, once for each.
static void clibxml2_ignore(void *context, const char *message, ...) {
  (void)context;
  (void)message;
}

/// Keeps the library from writing to stderr in this thread. Swift cannot name a function with a variable number of arguments.
static inline void clibxml2_silence(void) { xmlSetGenericErrorFunc(NULL, clibxml2_ignore); }

#endif
