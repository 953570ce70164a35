// Forced into every file of a model and of the Verilator run time: text that RTL prints goes to
// standard error and to a short memory, and a stop becomes an exception instead of the end of the
// process. Guarded by name: a model finds a copy of this file beside it.
#ifndef MKNS_SIM_HOOKS_H
#define MKNS_SIM_HOOKS_H

#include <string>

namespace mkns_sim {

struct Stopped {
    std::string message;
};

// Verilator prints through this (VL_PRINTF).
int print(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Forget what was printed so far by this thread.
void forget_printed();

}  // namespace mkns_sim

#endif
