"""Sends 64 bytes to host 1 through Xilinx' XDMA driver and reads its echo."""

import os

PAYLOAD = bytes(range(64))


def main():
    header = (1 | len(PAYLOAD) << 40).to_bytes(8, "little")
    c2h = os.open("/dev/xdma0_c2h_0", os.O_RDONLY)
    h2c = os.open("/dev/xdma0_h2c_0", os.O_WRONLY)
    os.write(h2c, header + PAYLOAD)
    answer = os.read(c2h, 4096)
    header, payload = int.from_bytes(answer[:8], "little"), answer[8:]
    source = header >> 20 & 0xFFFFF
    print(f"{len(payload)} bytes from address {source}: {'as sent' if payload == PAYLOAD else 'DIFFERENT'}")


if __name__ == "__main__":
    main()
