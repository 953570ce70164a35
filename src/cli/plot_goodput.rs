//! `mkns plot --kind goodput`: what a serial link carries while bits of its cable are wrong.

use super::simulator_error::simulator_error;
use super::{CommandError, Context};
use mkns_cosim::{LinkParameters, Silent, expected_goodput, link_goodput, link_model};
use mkns_report::figure::{Figure, Series};
use mkns_report::plot;
use mkns_rtl as rtl;

/// Bit error rates.
const RATES: [f64; 6] = [0.0, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4];
/// Words of a flight.
const FLIGHTS: [u32; 3] = [10, 40, 70];
/// Words of each measurement; at the lowest rate some hundred errors.
const CYCLES: u64 = 3_000_000;

/// Measures, prints the table and draws.
pub fn picture(context: &Context) -> Result<String, CommandError> {
    let mut curves = Vec::new();
    context.summary("goodput of the RTL, flits per word, and by the formula of page 7.8");
    context.summary("| bit error rate | flight, words | measured | formula | off |");
    context.summary("|---|---|---|---|---|");
    for flight in FLIGHTS {
        let parameters = LinkParameters {
            line_flits: 223,
            ..LinkParameters::default()
        };
        let parameters = parameters.with_flight(flight);
        let library = link_model(&rtl::render_link(), &parameters, CYCLES, &Silent)
            .map_err(|error| simulator_error(&error))?;
        let (mut measured, mut expected) = (Vec::new(), Vec::new());
        for rate in RATES {
            let formula = expected_goodput(&parameters, rate, flight);
            let found = link_goodput(&library, &parameters, (rate, flight), CYCLES)
                .map_err(|error| simulator_error(&error))?;
            let off = 100.0 * (found / formula - 1.0);
            let name = match rate {
                0.0 => "0".to_owned(),
                _ => format!("{rate:e}"),
            };
            context.summary(format_args!(
                "| {name} | {flight} | {found:.3} | {formula:.3} | {off:+.1} % |"
            ));
            measured.push((rate, found));
            expected.push((rate, formula));
        }
        curves.push(series(format!("{flight} words of flight"), measured));
        curves.push(series(format!("{flight}, formula"), expected));
    }
    let figure = Figure {
        number: "1",
        title: "Goodput".to_owned(),
        x: "bit errors per bit of the line",
        y: "flits per word",
        curves,
        remark: "both sides of a serial link send all they can".to_owned(),
    };
    Ok(plot::figures("Goodput of a serial link", &[figure]))
}

fn series(name: String, points: Vec<(f64, f64)>) -> Series {
    Series { name, points }
}
