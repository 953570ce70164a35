// The border between this crate and a verilated model: an abstract class that both sides compile.
// The host (bridge.cc) knows only this; each model library holds one implementation (bank_impl.cc).
// Plain pointers and fixed-width integers only, so the two sides need no common library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mkns_sim {

// Raised when this header changes shape. A library with another number is refused.
constexpr std::uint32_t ABI_VERSION = 2;

// Why and when an instance stopped: an RTL assertion, $stop, $finish or a fatal run-time error.
struct Stop {
    std::uint64_t cycle = 0;
    std::string message;  // empty while the instance runs
};

// Instances of one model that are clocked together. Words are instance-major: all input words of
// instance 0, then of instance 1, and so on.
class Bank {
public:
    virtual ~Bank() = default;

    // One cycle: inputs are applied, logic settles, outputs are sampled, the clock edge happens;
    // the edge may be put off to the next call of any of these three.
    // Returns how many instances are stopped; those keep their outputs.
    virtual std::uint32_t step(const std::uint64_t* inputs, std::uint64_t* outputs) = 0;
    // The same cycle, but the outputs are read after the edge, inputs unchanged.
    virtual std::uint32_t advance(const std::uint64_t* inputs, std::uint64_t* outputs) = 0;
    // Outputs as they stand after all edges, with the inputs of the last cycle. Returns as `step`.
    virtual std::uint32_t outputs(std::uint64_t* outputs) = 0;

    virtual Stop stop(std::size_t instance) const = 0;

    // Empty result: fine. Otherwise what went wrong.
    virtual std::string open_trace(std::size_t instance, const char* path,
                                   const char* timescale) = 0;
    virtual void trace_enable(bool enable) = 0;
    virtual void close_trace() = 0;
    virtual std::string write_coverage(std::size_t instance, const char* path) = 0;
};

// What a new instance is given. `arguments` are plusargs, one string each.
struct InstanceStart {
    std::int32_t seed;
    const char* const* arguments;
    std::size_t argument_count;
};

// Symbols of a model library. `error` is filled and null returned when an instance stops at once.
using AbiVersion = std::uint32_t (*)();
using MakeBank = Bank* (*)(const InstanceStart* starts, std::size_t count, std::string* error);

}  // namespace mkns_sim
