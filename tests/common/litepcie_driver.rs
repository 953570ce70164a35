//! LitePCIe's driver for Linux (litepcie/software/kernel, 2024.12) as its devices behave, in front of a card in Icarus. What
//! matters to a program:
//!
//! - Each direction has a ring of 256 buffers. The card goes through it from the moment the direction is switched on, whatever
//!   the program has written or read.
//! - How far the card is, the driver learns by an interrupt when buffer 0, 32, 64, ... is done.
//! - A read gives whole buffers; those of which more than 128 are unread are lost, without an error.
//! - A write takes whole buffers, at most 128 ahead of the card; those behind the card are lost, without an error.
//! - Switching on and off sets the counts to 0, and so does an open of a device whose direction is off.
//! - What ends a program closes its device, and that switches off the directions that it has reserved.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use mkns_host::{BufferCounts, Direction, LitePcieDevice, LitePcieDriver};

use super::simulated_card::SimulatedCard;

const RING: usize = 256;
const HALF: i64 = 128;
/// Cycles of the card in which others cannot use it.
const TURN: u32 = 400;
/// Cycles between the end of the table and the end of the direction.
const STOP: u32 = 300;

/// One direction of a channel.
#[derive(Debug, Default, Clone)]
struct Way {
    is_on: bool,
    is_claimed: bool,
    counts: BufferCounts,
    /// What the ring to the card holds.
    ring: Vec<u64>,
}

#[derive(Debug)]
struct Card {
    simulated: SimulatedCard,
    ways: [[Way; 2]; 2],
    buffer_words: usize,
}

/// The driver of one channel of a card with two channels.
#[derive(Debug, Clone)]
pub struct LitePcieModel {
    card: Arc<Mutex<Card>>,
    channel: usize,
    patience: Duration,
}

impl LitePcieModel {
    /// The drivers of both channels. Some thousand cycles pass per second, so programs need more patience than with a card.
    pub fn of_card(simulated: SimulatedCard, buffer_words: usize, patience: Duration) -> [Self; 2] {
        let way = Way {
            ring: vec![0; RING * buffer_words],
            ..Way::default()
        };
        let card = Card {
            simulated,
            ways: [[way.clone(), way.clone()], [way.clone(), way]],
            buffer_words,
        };
        let card = Arc::new(Mutex::new(card));
        [0, 1].map(|channel| Self {
            card: Arc::clone(&card),
            channel,
            patience,
        })
    }

    /// A line to the model of the core that is answered by a dot or a number.
    pub fn ask(&self, line: &str) {
        let answer = self.card().simulated.ask(line);
        assert!(answer == "." || answer.starts_with("= "), "{answer}");
    }

    fn card(&self) -> MutexGuard<'_, Card> {
        self.card.lock().expect("no test has failed")
    }
}

impl Card {
    /// Takes over the count of the last interrupt.
    fn update(&mut self, channel: usize, direction: usize) -> BufferCounts {
        let line = format!("c {channel} {direction}");
        let done = self.simulated.word(&line).expect("a number");
        let way = &mut self.ways[channel][direction];
        if way.is_on {
            way.counts.card = done.into();
        }
        way.counts
    }

    fn switch(&mut self, channel: usize, direction: usize, on: bool) {
        if self.ways[channel][direction].is_on == on {
            return;
        }
        let mut lines = vec![format!("e {channel} {direction} 1")];
        if !on {
            lines = vec![
                format!("f {channel} {direction}"),
                format!("t {STOP}"),
                format!("e {channel} {direction} 0"),
            ];
        }
        for line in lines {
            assert_eq!(self.simulated.ask(&line), ".");
        }
        let way = &mut self.ways[channel][direction];
        way.is_on = on;
        way.counts = BufferCounts::default();
    }
}

impl LitePcieDriver for LitePcieModel {
    fn open(&self) -> io::Result<Box<dyn LitePcieDevice>> {
        let mut card = self.card();
        for way in &mut card.ways[self.channel] {
            if !way.is_on {
                way.counts = BufferCounts::default();
            }
        }
        Ok(Box::new(Device {
            driver: self.clone(),
            claimed: [false; 2],
        }))
    }

    fn channel(&self) -> io::Result<u32> {
        Ok(self.channel as u32)
    }

    fn patience(&self) -> Duration {
        self.patience
    }
}

#[derive(Debug)]
struct Device {
    driver: LitePcieModel,
    claimed: [bool; 2],
}

fn number(direction: Direction) -> usize {
    usize::from(direction == Direction::FromCard)
}

impl LitePcieDevice for Device {
    fn buffer_bytes(&mut self) -> io::Result<usize> {
        Ok(8 * self.driver.card().buffer_words)
    }

    fn claim(&mut self, direction: Direction) -> io::Result<bool> {
        let direction = number(direction);
        let way = &mut self.driver.card().ways[self.driver.channel][direction];
        let is_free = !way.is_claimed;
        way.is_claimed = true;
        self.claimed[direction] |= is_free;
        Ok(is_free)
    }

    fn switch(&mut self, direction: Direction, on: bool) -> io::Result<BufferCounts> {
        let mut card = self.driver.card();
        card.switch(self.driver.channel, number(direction), on);
        Ok(card.update(self.driver.channel, number(direction)))
    }

    fn set_written(&mut self, count: i64) -> io::Result<()> {
        self.driver.card().ways[self.driver.channel][0]
            .counts
            .program = count;
        Ok(())
    }

    fn wait(&mut self, direction: Direction, patience: Duration) -> io::Result<()> {
        let until = Instant::now() + patience;
        let (channel, way) = (self.driver.channel, number(direction));
        loop {
            let mut card = self.driver.card();
            let counts = card.update(channel, way);
            let ahead = counts.card - counts.program;
            let is_ready = match direction {
                Direction::ToCard => -ahead < HALF,
                Direction::FromCard => ahead > 2,
            };
            if is_ready || Instant::now() > until {
                return Ok(());
            }
            let line = format!("u {channel} {way} {} {TURN}", counts.card + 1);
            card.simulated.word(&line)?;
            drop(card);
            // Whoever waits for the card has a turn now.
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    fn word(&mut self, offset: u32) -> io::Result<u32> {
        let mut card = self.driver.card();
        card.simulated.word(&format!("r {offset:x}"))
    }

    fn read(&mut self, buffers: &mut [u8]) -> io::Result<usize> {
        let channel = self.driver.channel;
        let mut card = self.driver.card();
        let words = card.buffer_words;
        let counts = card.update(channel, 1);
        let mut unread = counts.card - counts.program;
        let mut read = 0;
        for buffer in buffers.chunks_exact_mut(8 * words) {
            if unread <= 0 {
                break;
            }
            let program = &mut card.ways[channel][1].counts.program;
            let place = *program as usize % RING * words;
            *program += 1;
            read += buffer.len();
            // What is too late is skipped: the program finds what stood there before.
            if unread <= HALF {
                let answer = card.simulated.ask(&format!("g {channel} {place} {words}"));
                let mut numbers = answer
                    .strip_prefix('=')
                    .expect("words")
                    .split_ascii_whitespace();
                buffer.fill(0);
                while let (Some(place), Some(word)) = (numbers.next(), numbers.next()) {
                    let place: usize = place.parse().expect("a place");
                    let word = u64::from_str_radix(word, 16).expect("known bits");
                    buffer[8 * place..][..8].copy_from_slice(&word.to_le_bytes());
                }
            }
            unread -= 1;
        }
        Ok(read)
    }

    fn write(&mut self, buffers: &[u8]) -> io::Result<usize> {
        let channel = self.driver.channel;
        let mut card = self.driver.card();
        let words = card.buffer_words;
        let mut counts = card.update(channel, 0);
        let mut written = 0;
        for buffer in buffers.chunks_exact(8 * words) {
            let ahead = counts.program - counts.card;
            if ahead >= HALF {
                break;
            }
            let place = counts.program as usize % RING * words;
            if ahead >= 0 {
                for (at, word) in (place..).zip(buffer.chunks_exact(8)) {
                    let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
                    if card.ways[channel][0].ring[at] != word {
                        card.ways[channel][0].ring[at] = word;
                        let line = format!("m {channel} {at} {word:x}");
                        assert_eq!(card.simulated.ask(&line), ".");
                    }
                }
            }
            counts.program += 1;
            written += buffer.len();
        }
        card.ways[channel][0].counts.program = counts.program;
        Ok(written)
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // A test that has failed holds the card.
        let Ok(mut card) = self.driver.card.lock() else {
            return;
        };
        for direction in 0..2 {
            if self.claimed[direction] {
                card.switch(self.driver.channel, direction, false);
                card.ways[self.driver.channel][direction].is_claimed = false;
            }
        }
    }
}
