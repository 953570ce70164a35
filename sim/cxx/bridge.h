// Host side of the border: opens model libraries and turns C++ strings and errors into Rust's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "bank.h"
#include "rust/cxx.h"

namespace mkns_sim {

struct StartRequest;
struct StopReport;

class Library {
public:
    explicit Library(MakeBank make) : make_(make) {}
    std::unique_ptr<Bank> make_bank(rust::Slice<const StartRequest> starts) const;

private:
    MakeBank make_;
};

std::unique_ptr<Library> open_library(rust::Str path);

StopReport stop_report(const Bank& bank, std::size_t instance);
void open_trace(Bank& bank, std::size_t instance, rust::Str path, rust::Str timescale);
void write_coverage(Bank& bank, std::size_t instance, rust::Str path);

}  // namespace mkns_sim
