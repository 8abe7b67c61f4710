// What AddressSanitizer does in a target unless ASAN_OPTIONS says otherwise: an input is over in no
// time and leaves nothing behind, so what was freed need not be kept for long, and a short stack
// says where it came from. That makes half of the inputs again in the same time.

// The name is AddressSanitizer's.
extern "C" const char* __asan_default_options();  // NOLINT(bugprone-reserved-identifier)

const char* __asan_default_options() {  // NOLINT(bugprone-reserved-identifier)
  return "quarantine_size_mb=8:malloc_context_size=8";
}
