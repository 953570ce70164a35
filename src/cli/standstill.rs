//! Verilated RTL runs in this process: where it holds an endless loop, nothing else would ever end the process.

use std::thread;
use std::time::Duration;

use mkns_diag::Code;
use mkns_sim::ended_calls_beside_one;

use super::{CommandError, Context, interrupt, witness};

/// How often is looked.
const GLANCE: Duration = Duration::from_secs(1);
/// Looks in a row at the same call, after which it counts as endless.
const PATIENCE: u32 = 60;
/// Bytes of the watching thread's stack.
const STACK: usize = 256 << 10;

/// A call of a model, and how often it has been seen. Looks are counted, not seconds: a process that was suspended has
/// not been looked at.
#[derive(Debug, Default)]
struct Watch {
    call: Option<u64>,
    looks: u32,
}

impl Watch {
    /// Whether no model has moved on for as long as one is waited for.
    fn look(&mut self, call: Option<u64>) -> bool {
        let is_same = call.is_some() && call == self.call;
        self.looks = if is_same { self.looks + 1 } else { 0 };
        self.call = call;
        self.looks >= PATIENCE
    }
}

/// Ends the process with an error when a cycle of a model has no end.
pub fn watch(context: &Context) {
    let context = context.clone();
    let work = move || {
        let mut watch = Watch::default();
        while !watch.look(ended_calls_beside_one()) {
            thread::sleep(GLANCE);
        }
        let error = endless();
        context.fail(&error);
        witness::testify(error.exit.number());
        interrupt::end(error.exit.number().into())
    };
    // A process with little memory may get no thread.
    let _ = thread::Builder::new().stack_size(STACK).spawn(work);
}

fn endless() -> CommandError {
    let seconds = u64::from(PATIENCE) * GLANCE.as_secs();
    let fact = format!(
        "a verilated model has not ended a cycle for {seconds} s: the RTL has an endless loop"
    );
    let remedy = "look for a loop in the RTL whose condition never changes, such as a counter that counts away from its end";
    CommandError::new(Code::EndlessLoop, fact, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_call_that_stays_for_as_long_as_one_waits_is_endless() {
        let mut watch = Watch::default();
        let mut looks = |call| (0..PATIENCE).any(|_| watch.look(call));
        assert!(!looks(None) && !looks(None), "nothing runs");
        assert!(!looks(Some(3)), "the first look only begins to count");
        assert!(!(0..9).any(|call| looks(Some(call))), "models move on");
        assert!(looks(Some(8)));
    }
}
