//! The bounds that a core's state keeps, checked in debug builds.

use super::SwitchCore;
use super::key_set::KeySet;

impl<K: KeySet> SwitchCore<K> {
    /// Panics when a bound of section 1.1 does not hold: then more flits or credits came than
    /// the link protocol allows, or the model is wrong.
    pub(super) fn check_invariants(&self) {
        let all: K = self.shape.keys_of_inputs(self.shape.all_ports());
        for key in all.keys() {
            let (port, channel) = (K::port_of(key), K::channel_of(key));
            let credit = self.output_channels[key].credit;
            let most = self.shape.credits_of_key::<K>(key) + self.shape.line_credits;
            let room = self.room(port).unwrap_or(0);
            let held = self.shape.credits + self.shape.line_credits;
            assert!(room <= held, "room[{port}] > C: it was returned twice");
            assert!(credit <= most, "credit[{port}][{channel}] > {most}");
            let owed = self.owed(key);
            assert!(owed <= held, "owed[{port}][{channel}] > C");
            for output in 0..self.shape.ports {
                let length = self.queues.length_of(port, channel, output);
                assert!(
                    length <= held + 1,
                    "queue[{port}][{output}][{channel}] > C + 1: more flits came than credits"
                );
            }
        }
    }
}
