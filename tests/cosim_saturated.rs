//! The switch core at saturation, as `mkns bench --block` times it: the RTL does what the golden model does, whose
//! throughput is printed.
#![cfg(feature = "cosim")]

use crate::common::rtl_designs::quick_models;
use mkns::bench::{Offered, SaturatedCore, SwitchBench};
use mkns::cosim::SessionError;
use mkns::rtl::render_block;
use mkns::spec::BlockParameters;
use mkns::traffic::{Destinations, Lengths};

const PORTS: u32 = 4;

fn block() -> BlockParameters {
    BlockParameters {
        virtual_channels: 2,
        control_port: false,
        ..BlockParameters::default()
    }
}

fn sources(parameters: &BlockParameters) -> Vec<(String, String)> {
    render_block(&SwitchBench::block(PORTS, parameters).0)
}

fn speed(
    sources: &[(String, String)],
    parameters: &BlockParameters,
    flits: u32,
) -> Result<f64, SessionError> {
    let offered = Offered {
        destinations: Destinations::Others,
        lengths: Lengths::Fixed(flits),
        channels: 2,
    };
    SaturatedCore::new(&quick_models(sources), PORTS, parameters)?.cycles_per_second(offered)
}

#[test]
fn the_rtl_of_a_saturated_core_is_timed_and_equals_its_model() {
    let parameters = block();
    let speed = speed(&sources(&parameters), &parameters, 9).expect("no difference");
    assert!(speed.is_finite() && speed > 0.0, "{speed} cycles/s");
}

/// An output forwards every packet all the same, but in another order.
#[test]
fn a_core_that_forwards_in_another_order_gets_no_figure() {
    let parameters = block();
    let mut sources = sources(&parameters);
    let good = "{{REQUESTS{1'b0}}, granted} << 1;";
    let outputs = sources.iter_mut().find(|(name, _)| name == "output_unit.v");
    let (_, text) = outputs.expect("a file of the core");
    assert_eq!(text.matches(good).count(), 1);
    *text = text.replace(good, "{{REQUESTS{1'b0}}, granted};");
    match speed(&sources, &parameters, 1) {
        Err(SessionError::Failed(failure)) => {
            assert_eq!(failure.block, "switch_block");
            assert!(!failure.signal.is_empty() && failure.cycle > 0, "{failure}");
        }
        other => panic!("{other:?}"),
    }
}
