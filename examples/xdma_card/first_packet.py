"""Sends 64 bytes to host 1 through Xilinx' XDMA driver and reads its echo: PYTHONPATH=src/host/python, after
`cargo build --release -p mkns-host`."""

import sys

import mkns_host

PAYLOAD = bytes(range(64))


def main():
    with mkns_host.Port("xdma:/dev/xdma0") as port:
        port.send(1, PAYLOAD)
        answer = port.receive(timeout=5.0)
    if answer is None:
        sys.exit("no answer")
    verdict = "as sent" if answer.payload == PAYLOAD else "DIFFERENT"
    print(f"{len(answer.payload)} bytes from address {answer.source}: {verdict}")


if __name__ == "__main__":
    main()
