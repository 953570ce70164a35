"""One packet from host 0 to host 1 of examples/pair.toml, in cocotb. Run it: python3 examples/pair/test_pair.py RTL_FOLDER"""

import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, with_timeout

PAYLOAD = 0x0123456789ABCDEF


async def offer(top, data, last):
    """Offers one beat of host 0 until it is taken."""
    top.s_axis_pcie_tdata.value = data
    top.s_axis_pcie_tkeep.value = 0xFF
    top.s_axis_pcie_tlast.value = int(last)
    top.s_axis_pcie_tvalid.value = 1
    await RisingEdge(top.clk)
    while not int(top.s_axis_pcie_tready.value) & 1:
        await RisingEdge(top.clk)
    await FallingEdge(top.clk)
    top.s_axis_pcie_tvalid.value = 0


async def packet(top):
    """Beats of the next packet at host 1."""
    beats = []
    while True:
        await RisingEdge(top.clk)
        if int(top.m_axis_pcie_tvalid.value) & 2:
            beats.append(int(top.m_axis_pcie_tdata.value) >> 64)
            if int(top.m_axis_pcie_tlast.value) & 2:
                return beats


@cocotb.test()
async def a_packet_arrives(top):
    for name in ("tdata", "tkeep", "tvalid", "tlast", "tuser"):
        getattr(top, f"s_axis_pcie_{name}").value = 0
    top.m_axis_pcie_tready.value = 3
    top.cable_up.value = 1
    top.rst.value = 1
    cocotb.start_soon(Clock(top.clk, 4, "ns").start())
    await FallingEdge(top.clk)
    await FallingEdge(top.clk)
    top.rst.value = 0
    receiver = cocotb.start_soon(packet(top))
    await offer(top, 1 | 8 << 40, last=False)
    await offer(top, PAYLOAD, last=True)
    header, payload = await with_timeout(receiver, 1, "us")
    assert header & 0xFFFFF == 1
    assert payload == PAYLOAD


def main():
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    rtl = Path(sys.argv[1])
    runner = get_runner("icarus")
    # not in the generated folder, which holds what mkns wrote and nothing else
    build = Path("pair_cocotb").resolve()
    runner.build(
        sources=sorted(rtl.glob("rtl/*.v")), hdl_toplevel="pair_top", build_dir=build, build_args=["-g2005"],
        timescale=("1ns", "1ps"), always=True
    )
    results = runner.test(hdl_toplevel="pair_top", test_module="test_pair", test_dir=Path(__file__).parent, build_dir=build)
    tests, failures = get_results(results)
    sys.exit(failures > 0 or tests == 0)


if __name__ == "__main__":
    main()
