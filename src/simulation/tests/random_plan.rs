//! Small networks of every kind, with blocks of all sizes.

use mkns_design::Plan;
use mkns_random::Random;

const NETWORKS: [&str; 16] = [
    "MKNS(2,3,2,1)",
    "MKNS(1,4,1,0)",
    "MKNS(3,2x3,2,0)",
    "MKNS(1,2x3,2,2)",
    "MKNS(2,2x2x2,3,1)",
    "torus(3x3)",
    "torus(4x2,2)",
    "torus(5,2)",
    "torus(5x3)",
    "KNS(2x3,1)",
    "fat_tree(3x2,2)",
    "fat_tree(2x2x2,1)",
    "HyperX(3x2,2)",
    "multi_ring(2,2)",
    "multi_ring(3,1,1)",
    "block_design(3,2,1)",
];

const ADAPTIVE_NETWORKS: [&str; 8] = [
    "random_shortcut(8,3,2)",
    "random_shortcut(10,4,1)",
    "torus(4x2,2)",
    "torus(5,2)",
    "HyperX(2x2x2,2)",
    "HyperX(3x2,1)",
    "MKNS(2,3,2,1)",
    "fat_tree(3x2,2)",
];

/// A plan of adaptive blocks with random parameters that the tool allows.
pub fn random_adaptive_plan(random: &mut Random) -> Plan {
    loop {
        let network = ADAPTIVE_NETWORKS[random.below(ADAPTIVE_NETWORKS.len() as u64) as usize];
        let mut pick = |values: &[u32]| values[random.below(values.len() as u64) as usize];
        let longest = pick(&[1, 2, 5, 9, 20, 33]);
        let credits = longest.max(4) + pick(&[0, 1, 5, 11, 26]);
        let numbers = [
            ("flit_bits", pick(&[64, 64, 128, 512])),
            ("pcie_bits", pick(&[64, 64, 128, 256])),
            ("virtual_channels", pick(&[2, 2, 4])),
            ("queue_flits", (credits + 2).next_power_of_two().max(8)),
            ("rx_buffer_flits", credits),
            ("banks", pick(&[1, 2, 3])),
            ("max_packet_flits", longest),
            ("link_latency", pick(&[1, 2, 3])),
            ("host_timeout", pick(&[0, 7, 1024])),
        ];
        let mut settings: Vec<String> = numbers
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        settings.push("routing=adaptive".to_owned());
        let plan = mkns_spec::parse_with(network, &settings)
            .ok()
            .and_then(|spec| mkns_design::build(&spec).ok());
        if let Some(plan) = plan {
            return plan;
        }
    }
}

/// A plan with random parameters that the tool allows.
pub fn random_plan(random: &mut Random) -> Plan {
    loop {
        let network = NETWORKS[random.below(NETWORKS.len() as u64) as usize];
        let mut pick = |values: &[u32]| values[random.below(values.len() as u64) as usize];
        let queue_flits = pick(&[8, 16, 32, 64]);
        let numbers = [
            ("flit_bits", pick(&[64, 64, 128, 256, 512])),
            ("pcie_bits", pick(&[64, 64, 128, 256, 512])),
            ("virtual_channels", pick(&[1, 2, 4])),
            ("queue_flits", queue_flits),
            (
                "rx_buffer_flits",
                4 + pick(&[0, 1, 2, 5, 11, 26, 58]).min(queue_flits - 6),
            ),
            ("banks", pick(&[1, 2, 3, 4])),
            ("max_packet_flits", pick(&[1, 2, 5, 9, 33])),
            ("link_latency", pick(&[1, 2, 3])),
            ("host_timeout", pick(&[0, 1, 7, 40, 1024])),
            ("layers", pick(&[1, 1, 2, 3])),
        ];
        // As many as the key sets of the fast model hold, and one more.
        let ports = pick(&[0, 0, 0, 0, 0, 0, 0, 0, 11, 13, 15, 16]);
        let mut settings: Vec<String> = numbers
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        // Two dimensions: layers can be chosen by masks.
        if network.contains(",2,") && random.below(2) == 0 {
            let engine = ["planes", "planes_spread"][random.below(2) as usize];
            settings.retain(|setting| !setting.starts_with("layers"));
            settings.push(format!("routing={engine}"));
        }
        if ports > 0 {
            settings.push(format!("network.ports={ports}"));
        }
        for (chances, setting) in [
            (4, "switching=vct"),
            (8, "counters=false"),
            (8, "control_port=false"),
        ] {
            if random.below(chances) == 0 {
                settings.push(setting.to_owned());
            }
        }
        if let Ok(mut spec) = mkns_spec::parse_with(network, &settings) {
            spec.block.counter_start = [0, u32::MAX - 20][random.below(2) as usize];
            // A number of ports makes some kinds large.
            match mkns_design::build(&spec) {
                Ok(plan) if plan.instances.len() <= 48 => return plan,
                _ => {}
            }
        }
    }
}
