// A bank of instances of one verilated model. Compiled once per model; `ports.h` is generated from
// the model's port table and gives
//   Model, Root              the verilated classes
//   INPUT_WORDS, OUTPUT_WORDS
//   apply_inputs(root, words), sample_outputs(root, words)
//   MKNS_CLOCK(root)         the clock variable
//   MKNS_EVAL(root)          settles the model
//   MKNS_PREVIOUS_CLOCK(root), only when every trigger of the model is the rising clock edge
//   MKNS_CLOCKED             1: every input passes a register first (clocked.rs); then also
//   load_registers(root, words)  sets those registers
//   MKNS_SETTLE(root)        computes all combinational logic anew
//   MKNS_CHANGED(root)       only with MKNS_TRACE: tells the recorder that there may be changes
//   MKNS_EDGE_PARTS          only with MKNS_PREVIOUS_CLOCK: the functions that together do what a
//                            rising edge does, in order
#include <algorithm>
#include <fstream>
#include <memory>
#include <vector>

#include "bank.h"
#include "hooks.h"
#include "ports.h"
#if MKNS_TRACE
#include "verilated_fst_c.h"
#endif
#if MKNS_COVERAGE
#include "verilated_cov.h"
#endif

namespace {

using mkns_sim::Stop;
using Word = std::uint64_t;

// Everything one instance owns. The context comes first: it must outlive the model.
struct Instance {
    VerilatedContext context;
    std::unique_ptr<Model> model;

    explicit Instance(const mkns_sim::InstanceStart& start) {
        Verilated::threadContextp(&context);
        context.quiet(true);
        context.randReset(2);
        context.randSeed(start.seed);
        std::vector<const char*> arguments{"model"};
        arguments.insert(arguments.end(), start.arguments, start.arguments + start.argument_count);
        context.commandArgs(static_cast<int>(arguments.size()), arguments.data());
        context.traceEverOn(MKNS_TRACE != 0);
        model = std::make_unique<Model>(&context, "TOP");
        const std::vector<Word> zeros(INPUT_WORDS + 1);
        apply_inputs(*model->rootp, zeros.data());
        MKNS_CLOCK(*model->rootp) = 0;
        model->eval();  // runs initial blocks
    }

    // Scopes of the model sign off at the context of the thread.
    ~Instance() { Verilated::threadContextp(&context); }
};

// Bytes of an instance that nearly every cycle touches: Verilator puts small variables first. Far
// parts of a big model are left to the processor.
constexpr std::size_t HOT_BYTES = sizeof(Root) < 4096 ? sizeof(Root) : 4096;

// Instances of a large bank do not stay in the cache: fetches bytes of one that will run soon.
template <std::size_t BYTES>
inline void prefetch(const Root& root, std::size_t from) {
#pragma GCC unroll 64
    for (std::size_t offset = 0; offset < BYTES; offset += 64) {
        __builtin_prefetch(reinterpret_cast<const char*>(&root) + from + offset, 1);
    }
}

// The clock goes from 0 to 1 and the model settles.
inline void rise(Root& root) {
    MKNS_CLOCK(root) = 1;
    MKNS_EVAL(root);
}

inline void settle_low(Root& root) {
    MKNS_CLOCK(root) = 0;
    MKNS_EVAL(root);
}

#if MKNS_CLOCKED

// A whole clock period. When nothing but rising edges can wake the model, evaluating the falling
// edge does nothing: so only the memory of the clock is put back.
inline void pulse(Root& root) {
#ifdef MKNS_PREVIOUS_CLOCK
    MKNS_PREVIOUS_CLOCK(root) = 0;
#else
    settle_low(root);
#endif
    rise(root);
}

// Inputs of a cycle come in, and its outputs are settled. If the edge of the last cycle is `due`,
// it happens now: the input registers hold that cycle's inputs and take this cycle's with it.
// Without an edge, the registers are set by hand.
inline void enter(Root& root, const Word* inputs, bool due) {
    apply_inputs(root, inputs);
    if (__builtin_expect(due, 1)) {
        pulse(root);
    } else {
        load_registers(root, inputs);
        MKNS_SETTLE(root);
    }
}

// The edge that ends the cycle.
inline void leave(Root& root) { pulse(root); }

#else

inline void enter(Root& root, const Word* inputs, bool) {
    apply_inputs(root, inputs);
    settle_low(root);
}

inline void leave(Root& root) { rise(root); }

#endif

// Outputs after an edge, before new inputs.
inline void settle_after_edge(Root& root) {
    if (!MKNS_CLOCKED) settle_low(root);
}

#ifdef MKNS_EDGE_PARTS
constexpr void (*EDGE_PARTS[])(Root*) = {MKNS_EDGE_PARTS};

// Instances that pass each part together. The code of a whole cycle is larger than the first-level
// instruction cache; a part is not, and the data of this many instances fit the second level.
constexpr std::size_t BATCH = 16;

// What each part fetches of an instance of the next batch: a processor has only a limited number of fetches under
// way.
constexpr std::size_t SHARE = 1024;
#endif

class VerilatedBank final : public mkns_sim::Bank {
    enum Flag : std::uint8_t { STOPPED = 1, TRACED = 2 };

    std::vector<std::unique_ptr<Instance>> instances_;
    std::vector<Root*> roots_;          // what a cycle touches, side by side
    std::vector<std::uint8_t> flags_;   // 0: nothing special
    std::uint32_t special_ = 0;         // flags that are set, of all instances
    std::vector<Stop> stops_;
    std::uint32_t stopped_ = 0;
    std::uint64_t cycle_ = 0;
    bool due_ = false;  // the edge of cycle_ - 1 has still to happen; MKNS_CLOCKED only
#if MKNS_TRACE
    std::unique_ptr<VerilatedFstC> trace_;
    std::size_t traced_ = 0;
#endif

public:
    VerilatedBank(const mkns_sim::InstanceStart* starts, std::size_t count)
        : flags_(count), stops_(count) {
        for (std::size_t i = 0; i < count; ++i) {
            instances_.push_back(std::make_unique<Instance>(starts[i]));
            roots_.push_back(instances_.back()->model->rootp);
        }
    }
    ~VerilatedBank() override { VerilatedBank::close_trace(); }

    std::uint32_t step(const Word* inputs, Word* outputs) override {
        return cycle<true>(inputs, outputs);
    }

    std::uint32_t advance(const Word* inputs, Word* outputs) override {
        return cycle<false>(inputs, outputs);
    }

    std::uint32_t outputs(Word* outputs) override {
        for (std::size_t i = 0; i < roots_.size(); ++i, outputs += OUTPUT_WORDS) {
            if (!(flags_[i] & STOPPED)) {
                if (due_) guarded(i, cycle_ - 1, leave);
                else guarded(i, cycle_, settle_after_edge);
            }
            sample_outputs(*roots_[i], outputs);
        }
        due_ = false;
        return stopped_;
    }

    Stop stop(std::size_t instance) const override { return stops_.at(instance); }

    std::string open_trace(std::size_t instance, const char* path, const char* timescale) override {
#if MKNS_TRACE
        close_trace();
        // The writer itself does not report a file that cannot be created.
        if (!std::ofstream{path}) return "cannot create the file";
        trace_ = std::make_unique<VerilatedFstC>();
        instances_.at(instance)->context.trace(trace_.get(), 99);
        trace_->set_time_unit(timescale);
        trace_->set_time_resolution(timescale);
        trace_->open(path);
        traced_ = instance;
        trace_enable(true);
        return {};
#else
        (void)instance, (void)path, (void)timescale;
        return "the model was built without tracing";
#endif
    }

    void trace_enable(bool enable) override {
#if MKNS_TRACE
        if (!trace_) return;
        if (enable == ((flags_[traced_] & TRACED) != 0)) return;
        flags_[traced_] ^= TRACED;
        special_ += enable ? 1 : -1;
#else
        (void)enable;
#endif
    }

    void close_trace() override {
#if MKNS_TRACE
        if (!trace_) return;
        trace_enable(false);
        trace_->close();
        trace_.reset();
#endif
    }

    std::string write_coverage(std::size_t instance, const char* path) override {
#if MKNS_COVERAGE
        instances_.at(instance)->context.coveragep()->write(path);
        return {};
#else
        (void)instance, (void)path;
        return "the model was built without coverage";
#endif
    }

private:
    // BEFORE: outputs are sampled before the edge (step), else after it (advance).
    template <bool BEFORE>
    std::uint32_t cycle(const Word* inputs, Word* outputs) {
        const std::size_t count = roots_.size();
#ifdef MKNS_EDGE_PARTS
        if (BEFORE && due_ && special_ == 0) {
            for (std::size_t first = 0; first < count; first += BATCH) {
                batch(first, std::min(first + BATCH, count), inputs, outputs);
            }
            ++cycle_;
            return stopped_;
        }
#endif
        for (std::size_t i = 0; i < count; ++i) {
            if (i + 1 < count) prefetch<HOT_BYTES>(*roots_[i + 1], 0);
            if (__builtin_expect(flags_[i] == 0, 1)) {
                cycle_of<BEFORE, false>(i, inputs, outputs);
            } else if (flags_[i] & STOPPED) {
                sample_outputs(*roots_[i], outputs);
            } else {
                cycle_of<BEFORE, true>(i, inputs, outputs);
            }
            inputs += INPUT_WORDS;
            outputs += OUTPUT_WORDS;
        }
        ++cycle_;
        due_ = MKNS_CLOCKED && BEFORE;
        return stopped_;
    }

#ifdef MKNS_EDGE_PARTS
    // The due edges of some instances, part by part.
    void batch(std::size_t first, std::size_t end, const Word* inputs, Word* outputs) {
        for (std::size_t i = first; i < end; ++i) {
            apply_inputs(*roots_[i], inputs + i * INPUT_WORDS);
        }
        std::size_t from = 0;
        for (auto part : EDGE_PARTS) {
            const bool ahead = from < HOT_BYTES;
            for (std::size_t i = first; i < end; ++i) {
                if (ahead && i + BATCH < roots_.size()) prefetch<SHARE>(*roots_[i + BATCH], from);
                if (flags_[i] == 0) guarded(i, cycle_ - 1, [=](Root& root) { part(&root); });
            }
            from += SHARE;
        }
        for (std::size_t i = first; i < end; ++i) {
            sample_outputs(*roots_[i], outputs + i * OUTPUT_WORDS);
        }
    }
#endif

    template <bool BEFORE, bool TRACE>
    inline void cycle_of(std::size_t i, const Word* inputs, Word* outputs) {
        const bool due = due_;
        const bool runs = guarded(i, due ? cycle_ - 1 : cycle_, [=](Root& root) {
            enter(root, inputs, due);
            if (TRACE) dump(i, 2 * cycle_);
        });
        if (BEFORE || !runs) sample_outputs(*roots_[i], outputs);
        if (!runs) return;
        if (TRACE && MKNS_CLOCKED) {
            settle_low(*roots_[i]);
            dump(i, 2 * cycle_ + 1);
        }
        if (BEFORE && MKNS_CLOCKED) return;  // the edge is due
        guarded(i, cycle_, [=](Root& root) {
            leave(root);
            if (TRACE && !MKNS_CLOCKED) dump(i, 2 * cycle_ + 1);
            if (!BEFORE) settle_after_edge(root);
        });
        if (!BEFORE) sample_outputs(*roots_[i], outputs);
    }

    // The first half of a cycle shows its inputs and outputs settled. The second shows what the edge
    // did, or, where the edge is still due, only the clock falling.
    void dump(std::size_t instance, std::uint64_t time) {
#if MKNS_TRACE
        instances_[instance]->context.time(time);
        MKNS_CHANGED(*roots_[instance]);  // eval() of the model's class would, MKNS_EVAL does not
        trace_->dump(time);
#else
        (void)instance, (void)time;
#endif
    }

    // False if the instance stopped; `cycle` is then the one it stopped in.
    template <typename Action>
    bool guarded(std::size_t i, std::uint64_t cycle, Action action) {
        try {
            action(*roots_[i]);
            return true;
        } catch (const mkns_sim::Stopped& stopped) {
            stops_[i] = Stop{cycle, stopped.message};
            flags_[i] |= STOPPED;
            ++special_;
            ++stopped_;
            return false;
        }
    }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) std::uint32_t mkns_sim_abi_version() {
    return mkns_sim::ABI_VERSION;
}

extern "C" __attribute__((visibility("default"))) mkns_sim::Bank* mkns_sim_make_bank(
    const mkns_sim::InstanceStart* starts, std::size_t count, std::string* error) {
    try {
        return new VerilatedBank(starts, count);
    } catch (const mkns_sim::Stopped& stopped) {
        *error = stopped.message;
    } catch (const std::exception& exception) {
        *error = exception.what();
    }
    return nullptr;
}
