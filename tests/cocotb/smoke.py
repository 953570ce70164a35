"""Two hosts on the network of duo.toml, played by the bus models of cocotbext-axi.

Third-party models drive and watch the PCIe-side AXI4-Streams and the AXI4-Lite control port; headers are
made and read here from docs/microarchitecture.md (1.3, 3.1, 4), by nothing of the Rust harness.
"""

import logging
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, with_timeout
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

PERIOD_NS = 4
# Addresses of the two hosts (NODE_ADDRESS in duo_top).
ADDRESSES = [0, 1]
# Eight flits behind the header.
LONGEST_PAYLOAD = 64
PACKETS = 40
# Registers of the control port.
ID, PCIE_COUNTERS = 0x00000, 0x03000
PACKETS_IN, ABORTED, PACKETS_OUT = 0, 8, 9


def crc6(header):
    """CRC-6 (x^6 + x + 1, start 0) of header bits 57 to 0, bit 57 first."""
    register = 0
    for bit in range(57, -1, -1):
        feedback = (register >> 5) ^ (header >> bit & 1)
        register = (register << 1 & 0x3F) ^ (0b11 if feedback else 0)
    return register


def packet(destination, payload, source=0xFFFFF, crc=0):
    """A packet as bytes. From a host the source and the CRC do not matter: the block fills them in."""
    header = destination | source << 20 | len(payload) << 40 | crc << 58
    return header.to_bytes(8, "little") + payload


def delivered(source, destination, payload):
    """The packet as the other host gets it."""
    header = destination | source << 20 | len(payload) << 40
    return packet(destination, payload, source, crc6(header))


def pauses(seed, percent):
    """True in so many percent of all cycles."""
    choose = random.Random(seed)
    while True:
        yield choose.random() * 100 < percent


class Bench:
    """Bus models on all pins, out of reset."""

    def __init__(self, dut):
        self.dut = dut
        self.hosts = range(len(ADDRESSES))
        stream = lambda name: (AxiStreamBus.from_prefix(dut, name), dut.clk, dut.rst)
        self.sources = [AxiStreamSource(*stream(f"s{host}_axis")) for host in self.hosts]
        self.sinks = [AxiStreamSink(*stream(f"m{host}_axis")) for host in self.hosts]
        self.control = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        for model in [*self.sources, *self.sinks]:
            model.log.setLevel(logging.WARNING)

    async def start(self):
        cocotb.start_soon(Clock(self.dut.clk, PERIOD_NS, "ns").start())
        self.dut.rst.value = 1
        for _ in range(4):
            await RisingEdge(self.dut.clk)
        self.dut.rst.value = 0
        await RisingEdge(self.dut.clk)

    async def receive(self, host):
        return await with_timeout(self.sinks[host].recv(), 20_000, "ns")

    async def counter(self, number):
        """A counter of block 0's PCIe port."""
        return await self.control.read_dword(PCIE_COUNTERS + 4 * number)


@cocotb.test()
async def hosts_exchange_packets_whatever_pauses(dut):
    bench = Bench(dut)
    await bench.start()
    choose = random.Random(1)
    sent = []
    for host in bench.hosts:
        bench.sources[host].set_pause_generator(pauses(host, 30))
        bench.sinks[host].set_pause_generator(pauses(10 + host, 50))
        payloads = [choose.randbytes(choose.randint(0, LONGEST_PAYLOAD)) for _ in range(PACKETS)]
        sent.append(payloads)
    for host in bench.hosts:
        for payload in sent[host]:
            frame = AxiStreamFrame(packet(ADDRESSES[1 - host], payload))
            bench.sources[host].send_nowait(frame)
    for host in bench.hosts:
        for payload in sent[1 - host]:
            frame = await bench.receive(host)
            expected = delivered(ADDRESSES[1 - host], ADDRESSES[host], payload)
            assert bytes(frame.tdata) == expected, f"host {host}: {bytes(frame.tdata).hex()}"
            assert not frame.tuser, "a good packet is marked bad"
    assert await bench.counter(PACKETS_IN) == PACKETS
    assert await bench.counter(PACKETS_OUT) == PACKETS


@cocotb.test()
async def an_aborted_packet_is_dropped_and_counted(dut):
    bench = Bench(dut)
    await bench.start()
    good = packet(ADDRESSES[1], b"arrives")
    await bench.sources[0].send(AxiStreamFrame(packet(ADDRESSES[1], b"is dropped"), tuser=1))
    await bench.sources[0].send(AxiStreamFrame(good))
    frame = await bench.receive(1)
    assert bytes(frame.tdata) == delivered(ADDRESSES[0], ADDRESSES[1], b"arrives")
    assert await bench.counter(ABORTED) == 1
    assert await bench.counter(PACKETS_IN) == 1
    assert bench.sinks[1].empty()


@cocotb.test()
async def the_control_port_says_what_it_is(dut):
    bench = Bench(dut)
    await bench.start()
    assert await bench.control.read_dword(ID) == 0x4D4B4E53
