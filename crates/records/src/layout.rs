//! How a waiting job wants its resources laid out on nodes.
//!
//! For: fitting a job on nodes as `select/cons_tres` does.
//!
//! Not for: sums of what it asks for, which are in its record; features and node names, likewise.
//!
//! Source: sbatch(1), squeue(1) of 22.05; `squeue --json` of 22.05 and v0.0.40 to v0.0.45.

/// A job's layout. `None` is what Slurm does not say, or the job does not ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobLayout {
    /// Fewest nodes.
    pub nodes_min: Option<u32>,
    /// Most nodes.
    pub nodes_max: Option<u32>,
    /// Tasks.
    pub tasks: Option<u32>,
    /// Tasks on a node, at most.
    pub tasks_per_node: Option<u32>,
    /// CPUs of a task.
    pub cpus_per_task: Option<u32>,
    /// Fewest CPUs a node must have (`MinCPUsNode`).
    pub cpus_per_node_min: Option<u32>,
    /// Memory.
    pub memory: Option<MemoryAsked>,
    /// Generic resources.
    pub gres: Vec<GresAsked>,
    /// Sockets a node must have.
    pub sockets_per_node: Option<u32>,
    /// Cores a socket must have.
    pub cores_per_socket: Option<u32>,
    /// Threads a core must have.
    pub threads_per_core: Option<u32>,
    /// Whether its nodes must be neighbours.
    pub contiguous: bool,
    /// Whether it shares its resources gladly (`--oversubscribe`).
    pub oversubscribe: bool,
    /// Whether its nodes are kept from other users (`--exclusive=user`).
    pub exclusive_user: bool,
}

/// Memory a job asks for, in mebibytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryAsked {
    /// Of each node.
    PerNode(u64),
    /// For each CPU.
    PerCpu(u64),
}

/// For each of what generic resources are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GresPer {
    /// Each node.
    Node,
    /// The whole job.
    Job,
    /// Each task.
    Task,
    /// Each socket.
    Socket,
}

/// One generic resource asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GresAsked {
    /// Which: `gpu`.
    pub name: String,
    /// Its model, `a100`; empty for any.
    pub model: String,
    /// How many.
    pub count: u64,
    /// For each of what.
    pub per: GresPer,
}

impl GresAsked {
    /// Reads Slurm's list: `gres:gpu:a100:2,gres:gpu:1` (22.05), `gres/gpu:a100=2` (later), `gpu:2`, `gpu`. `None` if it is
    /// not one. What is no generic resource (`cpu=2` among them, from 23.02) is passed over.
    pub fn list(text: &str, per: GresPer) -> Option<Vec<Self>> {
        let mut asked = Vec::new();
        for item in
            text.split(',').map(str::trim).filter(|item| !item.is_empty() && *item != "(null)" && *item != "N/A")
        {
            let (named, is_gres) = match item.strip_prefix("gres:").or_else(|| item.strip_prefix("gres/")) {
                Some(rest) => (rest, true),
                None => (item, false),
            };
            let (named, written) = match named.split_once('=') {
                // cpu=2, license/x=1
                Some(_) if !is_gres => continue,
                Some((named, written)) => (named, Some(written)),
                None => (named, None),
            };
            let mut words = named.split(':');
            let name = words.next().filter(|name| !name.is_empty())?.to_owned();
            let rest: Vec<&str> = words.collect();
            let (model, count) = match (rest.as_slice(), written) {
                ([], None) => ("", 1),
                ([], Some(written)) => ("", count(written)?),
                ([model], Some(written)) => (*model, count(written)?),
                ([one], None) => count(one).map_or((*one, 1), |count| ("", count)),
                ([model, written], None) => (*model, count(written)?),
                _ => return None,
            };
            asked.push(Self { name, model: model.to_owned(), count, per });
        }
        Some(asked)
    }
}

/// Slurm's own numbers may have a unit of 1024.
fn count(text: &str) -> Option<u64> {
    super::count(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generic_resources_are_the_same_in_every_dialect() {
        let list = |text: &str| {
            let asked = GresAsked::list(text, GresPer::Node)?;
            Some(asked.into_iter().map(|one| (one.name, one.model, one.count)).collect::<Vec<_>>())
        };
        let one = |name: &str, model: &str, count| (name.to_owned(), model.to_owned(), count);
        assert_eq!(list("gres:gpu:a100:2,gres:gpu:1"), Some(vec![one("gpu", "a100", 2), one("gpu", "", 1)]));
        assert_eq!(list("gres/gpu:a100=2,cpu=4"), Some(vec![one("gpu", "a100", 2)]));
        assert_eq!(list("gres/gpu=3"), Some(vec![one("gpu", "", 3)]));
        assert_eq!(list("gpu:4"), Some(vec![one("gpu", "", 4)]));
        assert_eq!(list("gres:gpu"), Some(vec![one("gpu", "", 1)]));
        assert_eq!(list("gres:gpu:tesla"), Some(vec![one("gpu", "tesla", 1)]));
        assert_eq!((list(""), list("N/A"), list("(null)")), (Some(vec![]), Some(vec![]), Some(vec![])));
        for text in ["gres:", "gres:gpu:a:b:c", "gres:gpu:a100:x", "gres/gpu=x"] {
            assert_eq!(list(text), None, "{text}");
        }
    }
}
