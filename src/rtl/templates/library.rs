//! The shared modules: Verilog that is the same in every design.

use askama::Template;

use crate::file_text::verilog;

/// Declares one template a template and the function that renders them all.
macro_rules! library {
    ($(#[$attribute:meta])* $function:ident: $($template:ident $path:tt),* $(,)?) => {
        $(
            #[derive(Template)]
            #[template(path = $path)]
            struct $template<'a> {
                banner: &'a str,
            }
        )*

        $(#[$attribute])*
        pub fn $function(banner: &str) -> Vec<(&'static str, String)> {
            vec![$(($path, verilog($template { banner }.render(), banner))),*]
        }
    };
}

library! {
    /// What all blocks are made of: template path and text.
    common:
    AcceptBank "common/accept_bank.v",
    AcceptChoice "common/accept_choice.v",
    AdaptiveArrival "common/adaptive_arrival.v",
    AdaptiveChoice "common/adaptive_choice.v",
    AdaptiveDestination "common/adaptive_destination.v",
    AdaptiveInputs "common/adaptive_inputs.v",
    AdaptiveLeaving "common/adaptive_leaving.v",
    AdaptiveLength "common/adaptive_length.v",
    AdaptiveLookup "common/adaptive_lookup.v",
    AdaptiveOutgoing "common/adaptive_outgoing.v",
    AdaptiveRead "common/adaptive_read.v",
    AdaptiveRoom "common/adaptive_room.v",
    AdaptiveSize "common/adaptive_size.v",
    AnyCommon "common/any_common.v",
    CandidateTable "common/candidate_table.v",
    ControlPort "common/control_port.v",
    CounterGroup "common/counter_group.v",
    Crossbar "common/crossbar.v",
    EventCounters "common/event_counters.v",
    FirstDrop "common/first_drop.v",
    InputCredits "common/input_credits.v",
    InputQueues "common/input_queues.v",
    InputUnits "common/input_units.v",
    InsertElements "common/insert_elements.v",
    LinkLookup "common/link_lookup.v",
    LinkPipe "common/link_pipe.v",
    OutputCandidates "common/output_candidates.v",
    OutputChannel "common/output_channel.v",
    OutputEligible "common/output_eligible.v",
    OutputOutcome "common/output_outcome.v",
    OutputProgress "common/output_progress.v",
    OutputRegrant "common/output_regrant.v",
    OutputUnit "common/output_unit.v",
    PathRegisters "common/path_registers.v",
    QueueBank "common/queue_bank.v",
    RemoveElements "common/remove_elements.v",
    RouteLookup "common/route_lookup.v",
    RouteOutcome "common/route_outcome.v",
    RouteTable "common/route_table.v",
    SelectChain "common/select_chain.v",
    SwitchCore "common/switch_core.v",
    Transpose "common/transpose.v",
}

library! {
    /// The switch block.
    switch:
    SwitchBlock "switch/switch_block.v",
}

library! {
    /// The adapter block.
    adapter:
    AdapterBlock "adapter/adapter_block.v",
}

library! {
    /// Splitter and combiner.
    pok:
    RoundRobin "rok/round_robin.v",
    Pok "rok/rok.v",
    PokCredits "rok/rok_credits.v",
    PokFifo "rok/rok_fifo.v",
    PokJoin "rok/rok_join.v",
    PokJoinChannel "rok/rok_join_channel.v",
    PokSplit "rok/rok_split.v",
    PokSplitChannel "rok/rok_split_channel.v",
}

library! {
    /// The block around splitter and combiner.
    pok_block:
    PokBlock "rok/rok_block.v",
}

library! {
    /// The terminal of a distributed switch, without its PCIe side and `pok`.
    terminal:
    TerminalBlock "rok/terminal_block.v",
}

library! {
    /// The cable between blocks.
    cable:
    Cable "network/cable.v",
}

library! {
    /// The files of a cable that carries flits in one direction.
    simplex_cable:
    SimplexCable "network/simplex_cable.v",
}

library! {
    /// The PCIe side of adapter and terminal blocks.
    pcie:
    BeatBuffer "adapter/beat_buffer.v",
    EgressWidth "adapter/egress_width.v",
    HeaderCrc "adapter/header_crc.v",
    HostPort "adapter/host_port.v",
    IngressWidth "adapter/ingress_width.v",
    PathChoice "adapter/path_choice.v",
    PcieEgress "adapter/pcie_egress.v",
    PcieIngress "adapter/pcie_ingress.v",
}

library! {
    /// The port of a serial link (`docs/microarchitecture.md` 7).
    link:
    LinkBox "link/link_box.v",
    LinkCore "link/link_core.v",
    LinkCrc32c "link/link_crc32c.v",
    LinkMemory "link/link_memory.v",
    LinkMessages "link/link_messages.v",
    LinkPointer "link/link_pointer.v",
    LinkPort "link/link_port.v",
    LinkReceiver "link/link_receiver.v",
    LinkRegisters "link/link_registers.v",
    LinkSender "link/link_sender.v",
    LinkSession "link/link_session.v",
    LinkSynchronizer "link/link_synchronizer.v",
    LinkWindow "link/link_window.v",
}

library! {
    /// The management unit of a board (`docs/microarchitecture.md` 8).
    management:
    ManagementKey "management/management_key.v",
    ManagementMaster "management/management_master.v",
    ManagementMessage "management/management_message.v",
    ManagementNotice "management/management_notice.v",
    ManagementRegisters "management/management_registers.v",
    ManagementRequesters "management/management_requesters.v",
    ManagementUnit "management/management_unit.v",
    ManagementWords "management/management_words.v",
}

library! {
    /// A serial cable in a simulation of the network.
    serial_cable:
    SerialCable "network/serial_cable.v",
}

/// Path of every template of a shared module.
pub fn paths() -> impl Iterator<Item = &'static str> {
    let groups = [
        common,
        switch,
        adapter,
        pok,
        pok_block,
        terminal,
        cable,
        simplex_cable,
        serial_cable,
        pcie,
        link,
        management,
    ];
    groups
        .into_iter()
        .flat_map(|group| group(""))
        .map(|(path, _)| path)
}
