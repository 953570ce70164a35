//! `mkns fpga SPEC --block KIND --shared`: what one bitstream for all blocks of a kind is made of. A manager gives each
//! board its number, address and tables over the cables.

use super::CommandError;
use super::fpga_cables::{links, refused};
use mkns_design::{BlockInstance, BlockModule, ModuleKind, Plan};
use mkns_diag::Code;
use mkns_fpga::NodeLink;

/// The block that serves as every block of a kind.
pub struct SharedBlock {
    /// With all turns that any of the blocks needs.
    pub module: BlockModule,
    pub links: Vec<NodeLink>,
}

impl SharedBlock {
    /// # Errors
    /// When blocks of the kind differ in more than number, address and tables, or the machine has no manager over its cables.
    pub fn of(plan: &Plan, kind: ModuleKind) -> Result<Self, CommandError> {
        if !plan.spec.is_managed_in_band() {
            let fact = "`--shared`: the boards would have no numbers and tables, because link.management is not \"in_band\"";
            let remedy = "add `--set link.kind=serial --set link.management=in_band`";
            return Err(refused(fact.to_owned(), remedy));
        }
        let is_of_kind = |instance: &&BlockInstance| plan.modules[instance.module].kind == kind;
        let mut blocks = plan.instances.iter().filter(is_of_kind);
        let Some(first) = blocks.next() else {
            let fact = format!("`--block {}`: the network has no such block", kind.name());
            let remedy = "give the other kind".to_owned();
            return Err(CommandError::new(Code::NoSuchBlock, fact, remedy));
        };
        let mut module = plan.modules[first.module].clone();
        let own_links = links(plan, first.block)?;
        for other in blocks {
            let others = &plan.modules[other.module];
            let others_links = links(plan, other.block)?;
            let difference = difference(
                (&module, own_links.as_slice()),
                (others, others_links.as_slice()),
            );
            if let Some(difference) = difference {
                let [one, two] = [first, other].map(|it| &plan.network.block(it.block).name);
                let fact = format!("`--shared`: {one} and {two} differ in {difference}");
                let remedy = "make a bitstream for each: give `--block` the name of a block, without `--shared`";
                return Err(refused(fact, remedy));
            }
            module.turns.extend(&others.turns);
        }
        let unknown = |link: NodeLink| NodeLink { peer: None, ..link };
        Ok(Self {
            module,
            links: own_links.into_iter().map(unknown).collect(),
        })
    }
}

/// What two blocks of a kind have that differs and is no register.
fn difference(
    (one, links): (&BlockModule, &[NodeLink]),
    (other, others): (&BlockModule, &[NodeLink]),
) -> Option<String> {
    let ports = |links: &[NodeLink]| links.iter().map(|link| link.port).collect::<Vec<_>>();
    let (own_ports, other_ports) = (ports(links), ports(others));
    if own_ports != other_ports {
        return Some(format!(
            "the ports that have cables: {own_ports:?} and {other_ports:?}"
        ));
    }
    if one.tables != other.tables {
        return Some("the destination bits that index their tables".to_owned());
    }
    let with_turns_of_one = BlockModule {
        turns: one.turns.clone(),
        ..other.clone()
    };
    (*one != with_turns_of_one).then(|| "their sizes".to_owned())
}
