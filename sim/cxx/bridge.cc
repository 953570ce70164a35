#include "mkns-sim/cxx/bridge.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "mkns-sim/src/bridge.rs.h"

namespace mkns_sim {

template <typename Symbol>
static Symbol find(void* handle, const char* name) {
    void* const symbol = dlsym(handle, name);
    if (!symbol) throw std::runtime_error(dlerror());
    return reinterpret_cast<Symbol>(symbol);
}

// RTLD_LOCAL keeps the Verilator run time of each model to itself. A library is never closed:
// its thread-local objects may still be destroyed when a thread ends.
std::unique_ptr<Library> open_library(rust::Str path) {
    void* const handle = dlopen(std::string(path).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw std::runtime_error(dlerror());
    const std::uint32_t version = find<AbiVersion>(handle, "mkns_sim_abi_version")();
    if (version != ABI_VERSION) {
        throw std::runtime_error("made for interface " + std::to_string(version) + ", this is " +
                                 std::to_string(ABI_VERSION));
    }
    return std::make_unique<Library>(find<MakeBank>(handle, "mkns_sim_make_bank"));
}

std::unique_ptr<Bank> Library::make_bank(rust::Slice<const StartRequest> requests) const {
    std::vector<std::vector<std::string>> texts(requests.size());
    std::vector<std::vector<const char*>> pointers(requests.size());
    std::vector<InstanceStart> starts;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        for (const rust::String& text : requests[i].arguments) texts[i].emplace_back(text);
        for (const std::string& text : texts[i]) pointers[i].push_back(text.c_str());
        starts.push_back({requests[i].seed, pointers[i].data(), pointers[i].size()});
    }
    std::string error;
    std::unique_ptr<Bank> bank{make_(starts.data(), starts.size(), &error)};
    if (!bank) throw std::runtime_error(error);
    return bank;
}

StopReport stop_report(const Bank& bank, std::size_t instance) {
    const Stop stop = bank.stop(instance);
    return StopReport{stop.cycle, rust::String::lossy(stop.message)};
}

static void check(const std::string& error) {
    if (!error.empty()) throw std::runtime_error(error);
}

void open_trace(Bank& bank, std::size_t instance, rust::Str path, rust::Str timescale) {
    check(bank.open_trace(instance, std::string(path).c_str(), std::string(timescale).c_str()));
}

void write_coverage(Bank& bank, std::size_t instance, rust::Str path) {
    check(bank.write_coverage(instance, std::string(path).c_str()));
}

}  // namespace mkns_sim
