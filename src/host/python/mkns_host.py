"""Packets of a host in an MKNS network: open a port, send, receive.

    import mkns_host
    with mkns_host.Port("live:/run/net/host_3") as port:
        port.send(0x00002, b"hello")
        answer = port.receive(timeout=1.0)      # None when nothing comes in time
        print(answer.source, answer.payload)

The module calls the shared library libmkns_host.so: the one that MKNS_HOST_LIBRARY names, else the one beside this file,
else the one that the system finds.
"""

import ctypes
import os
import pathlib
from typing import NamedTuple, Optional

MOST_PAYLOAD = 8191


class PortError(OSError):
    """A port cannot be opened or used."""


class Packet(NamedTuple):
    """A packet that arrived. Addresses have 20 bits."""

    source: int
    destination: int
    layer: int
    payload: bytes


class Network(NamedTuple):
    """What a running network says of itself."""

    host: int
    address: int
    hosts: int
    longest_payload: int
    layers: int


class Counters(NamedTuple):
    """Packets of a port since the card's last reset, or since the network runs; counts wrap at 2^32."""

    sent: int
    refused: int
    received: int
    damaged: int
    dropped: int
    waiting: int


class _Header(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("source", "destination", "layer", "length")]


def _library() -> ctypes.CDLL:
    beside = pathlib.Path(__file__).with_name("libmkns_host.so")
    name = os.environ.get("MKNS_HOST_LIBRARY") or (str(beside) if beside.exists() else "libmkns_host.so")
    library = ctypes.CDLL(name)
    library.mkns_error.restype = ctypes.c_char_p
    library.mkns_open.restype = ctypes.c_void_p
    library.mkns_open.argtypes = [ctypes.c_char_p]
    library.mkns_close.argtypes = [ctypes.c_void_p]
    library.mkns_send.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_size_t]
    library.mkns_receive.argtypes = [
        ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(_Header), ctypes.c_char_p, ctypes.c_size_t]
    library.mkns_information.argtypes = [ctypes.c_void_p, ctypes.c_uint32 * 5]
    library.mkns_read_counters.argtypes = [ctypes.c_void_p, ctypes.c_uint32 * 6]
    return library


class Port:
    """An open port. One thread may send while another receives."""

    def __init__(self, url: str):
        self._library = _library()
        self._port = self._library.mkns_open(url.encode())
        if not self._port:
            raise self._error()

    def close(self) -> None:
        if self._port:
            self._library.mkns_close(self._port)
            self._port = None

    def __enter__(self) -> "Port":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def send(self, destination: int, payload: bytes, layer: int = 0) -> None:
        """Sends a packet to an address; waits while the port is busy."""
        if self._library.mkns_send(self._port, destination, layer, payload, len(payload)) != 0:
            raise self._error()

    def receive(self, timeout: Optional[float] = None) -> Optional[Packet]:
        """The next packet; None when none comes within `timeout` seconds. Without a limit it waits for ever."""
        milliseconds = -1 if timeout is None else max(0, round(timeout * 1000))
        header = _Header()
        buffer = ctypes.create_string_buffer(MOST_PAYLOAD + 1)
        result = self._library.mkns_receive(self._port, milliseconds, header, buffer, MOST_PAYLOAD)
        if result == 1:
            return None
        if result != 0:
            raise self._error()
        return Packet(header.source, header.destination, header.layer, buffer.raw[:header.length])

    def network(self) -> Optional[Network]:
        """What a running network says of itself; None for a card."""
        numbers = (ctypes.c_uint32 * 5)()
        return Network(*numbers) if self._library.mkns_information(self._port, numbers) == 0 else None

    def counters(self) -> Counters:
        """What the card or the running network counts of this port."""
        numbers = (ctypes.c_uint32 * 6)()
        if self._library.mkns_read_counters(self._port, numbers) != 0:
            raise self._error()
        return Counters(*numbers)

    def _error(self) -> PortError:
        return PortError(self._library.mkns_error().decode())
