// Replaces Verilator's ends of the process (VL_USER_FINISH, VL_USER_STOP, VL_USER_FATAL,
// VL_USER_WARN): one model that stops must not take the other models, nor the program, with it.
#include "hooks.h"

#include <cstdarg>
#include <cstdio>

#include "verilated.h"

namespace mkns_sim {

// The last lines printed by this thread: the text of an assertion precedes its $stop.
static thread_local std::string printed;
static constexpr std::size_t PRINTED_LIMIT = 4096;

int print(const char* format, ...) {
    char text[2048];
    va_list list;
    va_start(list, format);
    const int length = std::vsnprintf(text, sizeof text, format, list);
    va_end(list);
    std::fputs(text, stderr);
    if (printed.size() > PRINTED_LIMIT) printed.clear();
    printed += text;
    return length;
}

void forget_printed() { printed.clear(); }

[[noreturn]] static void stop(const char* file, int line, const char* what) {
    std::string message = printed;
    printed.clear();
    message += std::string{file ? file : ""} + ":" + std::to_string(line) + ": " + what;
    throw Stopped{message};
}

}  // namespace mkns_sim

void vl_finish(const char* file, int line, const char*) { mkns_sim::stop(file, line, "$finish"); }
void vl_stop(const char* file, int line, const char*) { mkns_sim::stop(file, line, "$stop"); }
void vl_fatal(const char* file, int line, const char*, const char* message) {
    mkns_sim::stop(file, line, message);
}
// Run-time warnings are about table images that are missing or do not fit: never harmless here.
void vl_warn(const char* file, int line, const char*, const char* message) {
    mkns_sim::stop(file, line, message);
}
