// One packet from host 0 to host 1 of examples/pair.toml, and what arrives.
#include <cstdint>
#include <cstdio>
#include "Vpair_top.h"
#include "verilated.h"

static Vpair_top network;

// A whole clock cycle: inputs are set before the rising edge.
static void cycle() {
    network.clk = 1;
    network.eval();
    network.clk = 0;
    network.eval();
}

int main() {
    const uint64_t length = 8;
    const uint64_t beats[2] = {1 | length << 40, 0x0123456789abcdef};
    network.cable_up = 1;
    network.m_axis_pcie_tready = 3;
    network.rst = 1;
    network.eval();  // so that the first edge is one
    cycle();
    network.rst = 0;
    int offered = 0;
    for (int n = 0; n < 200; n++) {
        network.s_axis_pcie_tvalid = offered < 2;
        if (offered < 2) {
            network.s_axis_pcie_tdata[0] = static_cast<uint32_t>(beats[offered]);
            network.s_axis_pcie_tdata[1] = static_cast<uint32_t>(beats[offered] >> 32);
            network.s_axis_pcie_tkeep = 0xff;
            network.s_axis_pcie_tlast = offered == 1;
        }
        network.eval();
        const bool taken = offered < 2 && (network.s_axis_pcie_tready & 1);
        if (network.m_axis_pcie_tvalid & 2) {
            const uint64_t got = network.m_axis_pcie_tdata[2] | uint64_t(network.m_axis_pcie_tdata[3]) << 32;
            std::printf("host 1 gets %016llx\n", static_cast<unsigned long long>(got));
            if (network.m_axis_pcie_tlast & 2) {
                const bool good = got == beats[1] && !(network.m_axis_pcie_tuser & 2);
                std::puts(good ? "PASS" : "FAIL");
                return good ? 0 : 1;
            }
        }
        cycle();
        offered += taken;
    }
    std::puts("FAIL: nothing arrived");
    return 1;
}
