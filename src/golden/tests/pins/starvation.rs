//! Nobody starves: packets that streams would keep out for ever leave all the same (end of section 1.6).

use super::host_header::packet;
use super::testbench::{PinTestbench, Sent};
use mkns_spec::BlockParameters;

const PORTS: u32 = 10;
const LENGTHS: [u32; 7] = [1, 2, 3, 5, 9, 17, 33];

/// A sender that always has packets of one length for one output.
struct Stream {
    input: usize,
    destination: u32,
    flits: u32,
    /// Flits of the packet in progress that were sent.
    sent: u32,
    credits: u32,
}

impl Stream {
    fn new(input: usize, destination: u32, flits: u32, credits: u32) -> Stream {
        Stream {
            input,
            destination,
            flits,
            sent: 0,
            credits,
        }
    }

    /// The next flit, if there is a credit.
    fn send(&mut self, testbench: &mut PinTestbench) {
        if self.credits == 0 {
            return;
        }
        self.credits -= 1;
        let data = match self.sent {
            0 => packet(self.destination, 0),
            _ => 7,
        };
        self.sent = (self.sent + 1) % self.flits;
        testbench.send(self.input, 0, self.sent == 0, data);
    }
}

/// Cycles until a packet of one flit from input 1 to output 0 leaves on `channel`, which it enters in the first
/// cycle from `start` on in which its sender may. Input 5 streams to output 0, input 1 to output 2 of the same bank.
fn wait_of_the_odd_packet(flits: [u32; 2], channels: u32, channel: usize, start: u32) -> u32 {
    let parameters = BlockParameters {
        virtual_channels: channels,
        ..BlockParameters::default()
    };
    let credits = parameters.rx_buffer_flits;
    let mut testbench = PinTestbench::switch(PORTS, parameters);
    let mut rival = Stream::new(5, 0, flits[0], credits);
    let mut own = Stream::new(1, 2, flits[1], credits);
    let mut sent_at = None;
    for cycle in 0..start + 20_000 {
        rival.send(&mut testbench);
        let may_send = channel == 1 || own.sent == 0 && own.credits > 0;
        if cycle >= start && sent_at.is_none() && may_send {
            testbench.send(1, channel, true, packet(0, 1));
            own.credits -= u32::from(channel == 0);
            sent_at = Some(cycle);
        } else {
            own.send(&mut testbench);
        }
        let is_odd = |flit: &Sent| flit.port == 0 && flit.last && flit.data == packet(0, 1);
        if testbench.tick_crediting().iter().any(is_odd) {
            return cycle - sent_at.expect("it was sent");
        }
        for stream in [&mut rival, &mut own] {
            stream.credits += u32::from(testbench.returned_credit(stream.input, 0));
        }
    }
    20_000
}

/// The most cycles over all lengths and some phases, and the bound of the page for the longest packet there.
fn check(channels: u32, channel: usize) {
    for first in LENGTHS {
        for second in LENGTHS {
            for start in (200..236).step_by(5) {
                let waited = wait_of_the_odd_packet([first, second], channels, channel, start);
                // N + ⌈P/B⌉ + 1 packets, each with a cycle between it and the next, when the watch has come
                // round; before it on channel 0 what its own sender has queued.
                let packets = 16 * channels + PORTS.div_ceil(2) + 1;
                let bound = packets * (first.max(second) + 1) + PORTS * channels + 5;
                let what = format!("{first} and {second} flits from {start} on: {waited} cycles");
                assert!(waited <= bound, "{what}, at most {bound}");
            }
        }
    }
}

#[test]
fn streams_through_its_bank_and_to_its_output_do_not_keep_a_packet_out() {
    check(1, 0);
}

#[test]
fn nor_on_either_of_two_channels() {
    check(2, 0);
    check(2, 1);
}
