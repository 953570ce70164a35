//! What the numbers of a simulation leave out, in words.

use mkns_simulation::measure::{Choices, Summary};

/// A share of what was offered at all loads, in per cent.
fn share(points: &[Summary], of: fn(&Summary) -> f64) -> String {
    let offered: f64 = points.iter().map(|point| point.offered_load).sum();
    let part: f64 = points.iter().map(of).sum();
    format!("{:.1} %", 100.0 * part / offered.max(f64::MIN_POSITIVE))
}

/// What makes the numbers of a load doubtful.
pub fn doubts(point: &Summary) -> Option<String> {
    let (load, warm_up, cycles) = (point.offered_load, point.warm_up_cycles, point.cycles);
    let latency = point.latency_mean;
    let warm_up = (!point.settled && !point.saturated).then(|| {
        format!("load {load:.3}: the warm-up of {warm_up} cycles is too short, latencies had not settled\n")
    });
    let short = point.short.then(|| {
        format!(
            "load {load:.3}: {cycles} measured cycles are too few for a latency of {latency:.0}: raise `--cycles`\n"
        )
    });
    let text = [warm_up, short].into_iter().flatten().collect::<String>();
    (!text.is_empty()).then_some(text)
}

/// The pairs of `hosts` without a route, where there are some.
pub fn unrouted(points: &[Summary], pairs: u64, hosts: usize) -> Option<String> {
    let share = share(points, |point| point.load_without_route);
    (pairs > 0).then(|| {
        format!(
            "{pairs} of {} pairs of hosts have no route: {share} of the offered load is for them and never accepted\n",
            (hosts as u64).pow(2)
        )
    })
}

/// The packets that blocks dropped, where there are some.
pub fn lost(points: &[Summary]) -> Option<String> {
    let lost: u64 = points.iter().map(|point| point.packets_lost).sum();
    (lost > 0).then(|| format!("{lost} packets were lost: blocks dropped them on the way\n"))
}

/// What adaptive blocks chose at all loads, where there are some.
pub fn choices(points: &[Summary]) -> Option<String> {
    let all: Choices = points.iter().filter_map(|point| point.choices).sum();
    let percent = |part: u64| 100.0 * part as f64 / (all.adaptive + all.escape) as f64;
    all.if_any().map(|all| {
        format!(
            "choices: {:.1} % adaptive, {:.1} % escape; detours, for want of room: {:.1} %\n",
            percent(all.adaptive),
            percent(all.escape),
            percent(all.detours)
        )
    })
}

/// What goes back to the hosts that send it, where something does.
pub fn to_self(points: &[Summary]) -> Option<String> {
    let some = points.iter().any(|point| point.load_to_self > 0.0);
    let share = share(points, |point| point.load_to_self);
    some.then(|| format!("{share} of the offered load goes back to the host that sends it\n"))
}
