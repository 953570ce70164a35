//! Options whose name has got another meaning: the old spelling is refused, and the message says what to write.
//!
//! Old spellings that nothing else uses are hidden aliases instead, until 0.2.0. `docs/design/names.md` lists both.

use std::path::PathBuf;

use clap::Args;

/// The value parser of an old spelling: it accepts nothing.
macro_rules! refused {
    ($name:ident, $text:literal) => {
        fn $name(_: &str) -> Result<PathBuf, String> {
            Err($text.to_owned())
        }
    };
}

refused!(
    packets,
    "`--trace` is the waveform of `mkns cosim`; write `--packets FILE.csv`"
);
refused!(
    read_back,
    "`--check` compares a folder with `mkns generate`; write `--read-back FILE`"
);
refused!(
    placements,
    "`--seeds` is how many runs are made; write `--placements N`"
);
refused!(
    block,
    "`--rtl` is a folder of Verilog to check; write `--block switch`, `--block adapter` or `--block link`"
);
refused!(
    line,
    "`--links` is a file of link loads; write `--line LINE`"
);
refused!(
    mutants,
    "`--only` selects runs by their names; write `--mutant N`"
);
refused!(
    top,
    "`--simulate` compares networks that are given; write `--simulated N`"
);

/// `--trace` where packets are read.
#[derive(Debug, Clone, Default, Args)]
#[group(skip)]
pub struct Packets {
    #[arg(long = "trace", hide = true, value_name = "FILE", value_parser = packets)]
    old_trace: Option<PathBuf>,
}

/// `--check` of `mkns cabling`.
#[derive(Debug, Clone, Default, Args)]
#[group(skip)]
pub struct ReadBack {
    #[arg(long = "check", hide = true, value_name = "FILE", value_parser = read_back)]
    old_check: Option<PathBuf>,
}

/// `--rtl` and `--seeds` of `mkns bench`.
#[derive(Debug, Clone, Default, Args)]
#[group(skip)]
pub struct Bench {
    #[arg(long = "rtl", hide = true, num_args = 0..=1, default_missing_value = "", value_parser = block)]
    old_rtl: Option<PathBuf>,
    #[arg(long = "seeds", hide = true, value_name = "N", value_parser = placements)]
    old_seeds: Option<PathBuf>,
}

/// `--links` of `mkns fpga`.
#[derive(Debug, Clone, Default, Args)]
#[group(skip)]
pub struct Line {
    #[arg(long = "links", hide = true, value_name = "LINE", value_parser = line)]
    old_links: Option<PathBuf>,
}

/// `--only` of `mkns mutate`.
#[derive(Debug, Clone, Default, Args)]
#[group(skip)]
pub struct Mutants {
    #[arg(long = "only", hide = true, value_name = "N", value_parser = mutants)]
    old_only: Option<PathBuf>,
}

/// `--simulate` of `mkns explore`.
#[derive(Debug, Clone, Default, Args)]
#[group(skip)]
pub struct Simulated {
    #[arg(long = "simulate", hide = true, num_args = 0..=1, default_missing_value = "", value_name = "N", value_parser = top)]
    old_simulate: Option<PathBuf>,
}
