//! A run whose hosts send packets while others send management messages as fast as they are answered.

use super::RunningNetwork;
use crate::mismatch::{Failure, FailureKind};
use crate::network::attached_hosts::AttachedHosts;
use crate::network::flood::{FloodReport, Flooders, MessageFlood};
use crate::network::{NetworkRun, NetworkSummary};

/// Cycles within which the requests that are open at the end are answered or given up.
const PATIENCE: u64 = 5_000_000;

impl RunningNetwork<'_> {
    /// Packets and messages for the cycles of the run; then requests that are open end, and packets arrive.
    pub fn exercise_flooded(
        mut self,
        run: &NetworkRun,
        flood: &MessageFlood,
        watch: &mut dyn FnMut(u64),
    ) -> Result<(NetworkSummary, FloodReport), Box<Failure>> {
        let mut hosts = self.hosts(run);
        let mut flooders = flood.flooders(self.plan, run.seed);
        let (start, before) = (self.cycle, self.cables.flits());
        let end = start + run.cycles;
        while self.cycle < end {
            self.flooded_cycle(&mut hosts, &mut flooders)?;
            watch(self.cycle - start);
        }
        let data_flits = self.cables.flits() - before;
        flooders.leave();
        while !flooders.have_left() {
            if self.cycle > end + PATIENCE {
                let note = "a management message is not answered".to_owned();
                return Err(self.failure(FailureKind::Contract, 0, note));
            }
            self.flooded_cycle(&mut hosts, &mut flooders)?;
        }
        // One more drive takes the last valid off the pins.
        flooders.drive(&self.places, &mut self.groups);
        let report = FloodReport {
            data_flits,
            cycles: run.cycles,
            ..flooders.report()
        };
        Ok((self.conclude(run, &mut hosts)?, report))
    }

    fn flooded_cycle(
        &mut self,
        hosts: &mut dyn AttachedHosts,
        flooders: &mut Flooders,
    ) -> Result<(), Box<Failure>> {
        flooders.drive(&self.places, &mut self.groups);
        self.traffic(hosts, true)?;
        flooders.observe(&self.places, &self.groups);
        Ok(())
    }
}
