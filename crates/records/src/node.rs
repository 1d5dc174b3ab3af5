//! A node as Slurm tells it.
//!
//! Source: `sinfo --json` of 22.05; REST `/nodes` of v0.0.40 to v0.0.45.

use queuecast_workload::Time;

use super::Tres;

/// One node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeRecord {
    /// Its name.
    pub name: String,
    /// State and flags in Slurm's words, in capitals: `MIXED`, `PLANNED`; `IDLE`, `DRAIN`.
    pub states: Vec<String>,
    /// CPUs configured.
    pub cpus: u64,
    /// CPUs allocated now.
    pub allocated_cpus: Option<u64>,
    /// Memory configured.
    pub memory_mebibytes: u64,
    /// Memory allocated now.
    pub allocated_memory_mebibytes: Option<u64>,
    /// Generic resources as configured, `gpu:a100:4`.
    pub gres: String,
    /// Those in use, `gpu:a100:2(IDX:0-1)`.
    pub gres_used: String,
    /// All resources configured.
    pub configured: Tres,
    /// All resources in use.
    pub used: Tres,
    /// The partitions it belongs to.
    pub partitions: Vec<String>,
    /// Features that jobs can ask for.
    pub features: Vec<String>,
    /// Why it is down or drained.
    pub reason: String,
    /// Since when.
    pub reason_changed: Option<Time>,
    /// The reservation it is in.
    pub reservation: String,
    /// The version of its daemon.
    pub version: String,
    /// Nodes of a lower weight are given out first.
    pub weight: u32,
    /// Sockets.
    pub sockets: Option<u32>,
    /// Cores of a socket.
    pub cores: Option<u32>,
    /// Threads of a core.
    pub threads: Option<u32>,
    /// Whose alone it is now, where jobs keep strangers off (`--exclusive=user`); empty for nobody's.
    pub owner: String,
}

impl NodeRecord {
    /// Whether Slurm says this of it, such as `DOWN` or `DRAIN`.
    pub fn is(&self, state: &str) -> bool {
        self.states.iter().any(|word| word == state)
    }

    /// Its GPUs as configured, by model, which is empty where none is said: `gpu:a100:4(S:0-1),gpu:2`. What cannot be read as a
    /// number is none.
    pub fn gpus(&self) -> Vec<(String, u64)> {
        gpus(&self.gres)
    }

    /// Its GPUs in use, by model.
    pub fn gpus_used(&self) -> Vec<(String, u64)> {
        gpus(&self.gres_used)
    }
}

/// Commas within brackets are of places, `(IDX:0-1,3)`, not between resources.
fn gpus(gres: &str) -> Vec<(String, u64)> {
    let mut depth = 0_u32;
    let items = gres.split(|character: char| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    });
    let mut found: Vec<(String, u64)> = Vec::new();
    for item in items {
        let item = item.split('(').next().unwrap_or_default().trim();
        let mut words = item.split(':').filter(|word| *word != "no_consume");
        if words.next() != Some("gpu") {
            continue;
        }
        let (model, count) = match (words.next(), words.next()) {
            (Some(model), Some(written)) => (model, super::count(written.as_bytes()).unwrap_or(0)),
            (Some(one), None) => super::count(one.as_bytes()).map_or((one, 1), |count| ("", count)),
            (None, _) => ("", 1),
        };
        match found.iter_mut().find(|(known, _)| known == model) {
            Some((_, known)) => *known = known.saturating_add(count),
            None => found.push((model.to_owned(), count)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpus_are_told_apart_by_model() {
        let of =
            |gres: &str| gpus(gres).into_iter().map(|(model, count)| format!("{model}*{count}")).collect::<Vec<_>>();
        assert_eq!(of("gpu:a100:4(S:0-1),gpu:h100:2,craynetwork:4"), ["a100*4", "h100*2"]);
        assert_eq!(of("gpu:a100:2(IDX:0,3),gpu:v100:1(IDX:1)"), ["a100*2", "v100*1"]);
        assert_eq!(of("gpu:4"), ["*4"]);
        assert_eq!(of("gpu"), ["*1"]);
        assert_eq!(of("gpu:a100:2,gpu:a100:2"), ["a100*4"]);
        assert_eq!(of("gpu:a100:no_consume:3"), ["a100*3"]);
        assert!(of("").is_empty() && of("(null)").is_empty() && of("mps:100").is_empty());
    }
}
