//! Every code that a message of mkns can have: its text, the exit code that it brings, what it means.
//!
//! `explanations.md` has a section for each, with cause, example and fix. Ranges: E01 files and command line,
//! E02 spec, E03 topology, E04 routing, E05 design and generated files, E06 simulation and external tools,
//! E07 FPGA flows, E08 reports, E09 traffic.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::Exit;

const EXPLANATIONS: &str = include_str!("explanations.md");

/// Lists the codes once: `Variant = "text", exit code, "meaning";`.
macro_rules! codes {
    ($($variant:ident = $text:literal, $exit:ident, $meaning:literal;)*) => {
        /// The code of a diagnostic. Its text, such as `E0205`, never changes its meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $meaning] $variant,)*
        }

        impl Code {
            /// All codes in the order of their texts.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// What users see and scripts look for: `E` and four digits.
            pub fn text(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// What the program ends with when a diagnostic of this code is why it ends.
            pub fn exit(self) -> Exit {
                match self {
                    $(Self::$variant => Exit::$exit,)*
                }
            }

            /// What is wrong, in a few words: the heading in `explanations.md`.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)*
                }
            }
        }
    };
}

codes! {
    SpecUnreadable = "E0101", Usage, "the spec cannot be read";
    InputOutput = "E0102", Unexpected, "reading or writing failed";
    UnknownCode = "E0103", Usage, "unknown diagnostic code";
    CommandLine = "E0104", Usage, "wrong command line";
    InputFile = "E0105", Usage, "an input file that cannot be used";
    OutputIsInput = "E0106", Usage, "an output that is an input";
    OutputUnwritable = "E0110", Usage, "output cannot be written";
    NothingDelivered = "E0111", Usage, "no packet was delivered";
    NeitherNotationNorPath = "E0201", Usage, "neither a notation nor a path";
    UnknownKind = "E0202", Usage, "unknown kind of network";
    MalformedNotation = "E0203", Usage, "malformed notation";
    ListLength = "E0204", Usage, "list of the wrong length";
    OutOfRange = "E0205", Usage, "value out of range";
    DimensionTooSmall = "E0206", Usage, "dimension with fewer than two adapter blocks";
    FirstDimensionTooLarge = "E0207", Usage, "dimension 1 too large";
    SwitchBlockTooSmall = "E0208", Usage, "switch block too small";
    AssemblyTooSmall = "E0209", Usage, "switch assembly too small";
    OddAssembly = "E0210", Usage, "switch assembly of odd radix";
    NoPortsForMesh = "E0211", Usage, "no ports free for a direct mesh";
    FirstDimensionJoined = "E0212", Usage, "dimension 1 is always a direct mesh";
    InvalidToml = "E0213", Usage, "not valid TOML";
    UnknownKey = "E0214", Usage, "unknown key";
    WrongType = "E0215", Usage, "wrong type";
    MissingKey = "E0216", Usage, "missing key";
    IllegalName = "E0217", Usage, "illegal name";
    UnknownChoice = "E0218", Usage, "unknown choice";
    AddressTooWide = "E0219", Usage, "address too wide";
    QueueTooShort = "E0220", Usage, "queue too short";
    BufferBelowPacket = "E0221", Usage, "buffer too short for cut-through";
    BufferBelowRoundTrip = "E0222", Usage, "buffer shorter than the round trip";
    TooManyBanks = "E0223", Usage, "more banks than ports";
    PacketTooLong = "E0224", Usage, "packet longer than its length field";
    TooFewChannels = "E0225", Usage, "too few virtual channels";
    TooManyDimensions = "E0226", Usage, "dimensions need more ports than there are";
    TableTooLarge = "E0227", Usage, "routing table too large";
    NotASetting = "E0228", Usage, "not a setting";
    EngineDoesNotServe = "E0229", Usage, "routing engine of another kind of network";
    ImpossibleDesign = "E0230", Usage, "a block design that cannot exist";
    UnconstructedDesign = "E0231", Usage, "a block design that is not constructed";
    TooManySpineSwitches = "E0232", Usage, "too many spine switches";
    NoMasks = "E0233", Usage, "layers chosen by masks that no engine fills";
    NoSerialLink = "E0234", Usage, "impossible serial links";
    BufferBelowFlight = "E0235", Usage, "buffer shorter than the flight";
    HostBufferTooShort = "E0236", Usage, "host buffer shorter than the longest packet";
    NotAdaptive = "E0237", Usage, "settings that adaptive routing does not combine with";
    UnknownHost = "E0301", Usage, "no such host";
    UnknownPart = "E0302", Usage, "no such part of the network";
    NotFloorPlan = "E0303", Usage, "a floor plan that does not fit";
    NotReadBack = "E0304", Usage, "a read-back that cannot be used";
    NotPriceList = "E0305", Usage, "a price list that cannot be used";
    NothingFits = "E0306", Usage, "no network fits";
    NotExpressible = "E0307", Usage, "a network that a format cannot express";
    RouteLost = "E0401", CheckFailed, "a packet does not reach its destination";
    RouteFile = "E0402", Usage, "a routing table file that does not fit";
    NotDistributedSwitch = "E0403", Usage, "not a distributed switch";
    DrivenLoadsDiffer = "E0404", Diverged, "RTL differs under driven loads";
    RoutesUnproved = "E0405", CheckFailed, "the proof of the routes fails";
    FaultSetsUnusable = "E0406", Usage, "sets of failed parts that cannot be examined";
    ChannelsDoNotSuffice = "E0407", Usage, "paths need more virtual channels";
    HostsWithoutRoute = "E0408", CheckFailed, "hosts without a route";
    NotVerilogName = "E0502", Usage, "not a Verilog name";
    ForeignFolder = "E0503", Usage, "output folder not written by mkns";
    FolderUnusable = "E0504", Unexpected, "output folder cannot be used";
    NotOutputFolder = "E0505", Usage, "not an output folder";
    LintToolMissing = "E0506", ToolMissing, "lint tool missing";
    ChangedFiles = "E0507", Usage, "changed files in the output folder";
    TooManyCascades = "E0510", Usage, "too many cascades for hardware";
    TooManyPorts = "E0511", Usage, "too many ports for this use";
    SerialLinksInRtl = "E0512", Usage, "serial cables of switch assemblies";
    AdaptiveInRtl = "E0513", Usage, "adaptive blocks in assemblies";
    TooManyFields = "E0514", Usage, "too many address fields for hardware";
    NotRtlFolder = "E0520", Usage, "not a folder of RTL";
    RtlMissing = "E0521", Usage, "RTL missing or unreadable";
    OtherDesign = "E0522", Usage, "network of another design";
    TemplateNeedsRebuild = "E0523", Usage, "template needs a rebuild";
    ModuleTwice = "E0524", Usage, "module defined twice";
    RtlIncludes = "E0525", Usage, "RTL that includes other files";
    RtlReachesOutside = "E0526", Usage, "RTL that reaches outside the simulation";
    WiringDiffers = "E0527", Diverged, "wiring or tables differ from the plan";
    NoSuchBlock = "E0601", Usage, "no such block";
    NoControlPorts = "E0602", Usage, "network without control ports";
    SimulatorMissing = "E0603", ToolMissing, "simulator missing";
    ModelBuildFailed = "E0604", ToolFailed, "model does not build";
    SimulationFile = "E0605", Unexpected, "a file of the simulation cannot be used";
    TooLargeForOneModel = "E0606", Usage, "network too large for one model";
    NotRegressionFile = "E0607", Usage, "not a regression file";
    NoRowsToRepeat = "E0608", Usage, "no rows to run again";
    NoSuchSuite = "E0609", Usage, "no such suite";
    DistributedSwitchDisturbed = "E0610", Usage, "option that a distributed switch does not support";
    NetlistOfAssembly = "E0611", Usage, "netlist of an assembly";
    NotForIcarus = "E0612", Usage, "not for Icarus";
    CellWithoutModel = "E0613", Usage, "cell without a model";
    RtlDoesNotFit = "E0614", ToolFailed, "RTL does not fit the golden model";
    CaseOfStandardInput = "E0615", Usage, "no case of a spec on standard input";
    DamageBesideOption = "E0616", Usage, "failed parts beside an option";
    EndedEarly = "E0617", Unexpected, "ended before the verdict";
    EndlessLoop = "E0618", ToolFailed, "RTL with an endless loop";
    NoMutants = "E0620", ToolFailed, "no mutants";
    NoSuchMutant = "E0621", Usage, "no such mutant";
    NotCaseFile = "E0630", Usage, "not a saved case";
    FailureNotRecorded = "E0631", Diverged, "a failure without its waveform or case";
    NotStudyFile = "E0640", Usage, "not a study file";
    ClusterMissing = "E0641", ToolMissing, "no Slurm here";
    ClusterFailed = "E0642", ToolFailed, "Slurm refuses";
    NotResultsFolder = "E0643", Usage, "not a folder of results";
    NoMpi = "E0644", ToolMissing, "no MPI in this program";
    SetupFailed = "E0650", ToolMissing, "tools not installed";
    SocketsUnusable = "E0660", Usage, "sockets that cannot be used";
    PortUnusable = "E0661", Usage, "a port or an interface that cannot be used";
    FlowProgramMissing = "E0701", ToolMissing, "program of an FPGA flow missing";
    FlowProgramFailed = "E0702", ToolFailed, "program of an FPGA flow failed";
    FlowTimeLimit = "E0703", ToolFailed, "program of an FPGA flow took too long";
    FlowOutputNotUnderstood = "E0704", ToolFailed, "output of a program not understood";
    FlowFilesUnusable = "E0705", Unexpected, "working files of a flow unusable";
    UnknownDevice = "E0706", Usage, "unknown device";
    TimingNotMet = "E0707", ToolFailed, "timing not met";
    UnknownBoard = "E0708", Usage, "unknown board";
    FlowDoesNotFitBoard = "E0709", Usage, "flow that does not fit the board";
    SelftestCannotPlayHosts = "E0710", Usage, "self-test cannot play the hosts";
    NodeDoesNotFitBoard = "E0711", Usage, "node that does not fit the board";
    PaperTableDiffers = "E0801", CheckFailed, "a table of the paper differs without a known reason";
    NoSuchTable = "E0803", Usage, "no such table";
    NothingToDraw = "E0804", Usage, "nothing that this picture can show";
    NotSweepResult = "E0805", Usage, "not the result of a sweep";
    UnknownPictureFormat = "E0806", Usage, "unknown format of a picture";
    OptionWithoutEffect = "E0807", Usage, "option without an effect";
    NotLinkLoads = "E0808", Usage, "not the loads of links";
    TrafficOutOfRange = "E0901", Usage, "traffic out of range";
    TraceDoesNotFit = "E0902", Usage, "trace that does not fit";
    FormatNotOffered = "E0903", Usage, "a format that the verb does not offer";
    TrafficWithoutPath = "E0904", Usage, "traffic to hosts without a path";
    JobUnusable = "E0905", Usage, "a job that cannot be run";
    Standstill = "E0906", CheckFailed, "a network at a standstill";
    NoBlockBetween = "E0907", Usage, "no random block on the way of packets";
    TraceCut = "E0910", Incomplete, "a trace that was not run to its end";
}

impl Code {
    /// Cause, example and fix: the section of `explanations.md` without its heading.
    pub fn explanation(self) -> &'static str {
        let heading = format!("\n## {}: {}\n", self.text(), self.meaning());
        let section = EXPLANATIONS
            .split_once(&heading)
            .map_or("", |(_, behind)| behind);
        section.split("\n## ").next().unwrap_or_default().trim()
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_own_text_in_order() {
        let texts: Vec<_> = Code::ALL.iter().map(|code| code.text()).collect();
        assert!(texts.is_sorted_by(|a, b| a < b), "{texts:?}");
        let is_code = |text: &str| {
            text.len() == 5
                && text.starts_with('E')
                && text[1..].bytes().all(|byte| byte.is_ascii_digit())
        };
        assert!(texts.iter().all(|text| is_code(text)), "{texts:?}");
    }

    /// The page has a section for every code, in the same order and words, and none besides.
    #[test]
    fn the_page_of_codes_is_the_list_of_codes() {
        let sections = EXPLANATIONS.split("\n## ").skip(1);
        let headings: Vec<&str> = sections
            .filter_map(|section| section.lines().next())
            .collect();
        let codes = Code::ALL.iter();
        let codes: Vec<String> = codes
            .map(|code| format!("{code}: {}", code.meaning()))
            .collect();
        assert_eq!(headings, codes);
    }

    #[test]
    fn every_explanation_gives_cause_example_and_fix() {
        for code in Code::ALL {
            let text = format!("\n{}", code.explanation());
            let at = |part: &str| {
                let at = text.find(&format!("\n{part}: "));
                at.unwrap_or_else(|| panic!("{code} has no {part}"))
            };
            let is_ordered = at("Cause") < at("Example") && at("Example") < at("Fix");
            assert!(is_ordered, "{code}: wrong order");
        }
    }
}
