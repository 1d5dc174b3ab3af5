//! How the nodes of a cluster are said to Slurm: the `NodeName` lines of `slurm.conf` and of `gres.conf`.
//!
//! Not for: what nodes there are (`settings.rs`).
//!
//! Source: slurm.conf(5), gres.conf(5) of 22.05. A GPU without a device file is left out by slurmd (`Removing file-less
//! GPU`); any file that is there will do.

use std::fmt::Write;
use std::path::Path;

use crate::settings::ClusterSettings;

/// The lines for `slurm.conf`; the nodes' ports follow this one.
pub fn of_nodes(cluster: &ClusterSettings, first_port: u16) -> String {
    let name = &cluster.name;
    let line = |first: u16, count: u16, what: &str| {
        let (last, from, to) = (first + count - 1, first_port + first - 1, first_port + first + count - 2);
        format!(
            "NodeName={name}[{first}-{last}] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[{from}-{to}] {what} State=UNKNOWN\n"
        )
    };
    if cluster.kinds.is_empty() {
        let what = format!("CPUs={} RealMemory={}", cluster.cpus_per_node, cluster.memory_megabytes_per_node);
        return line(1, cluster.nodes, &what);
    }
    let mut first = 1;
    let mut lines = String::new();
    for kind in &cluster.kinds {
        let mut what = format!(
            "Sockets={} CoresPerSocket={} ThreadsPerCore=1 RealMemory={} Weight={} Feature={}",
            kind.sockets, kind.cores_per_socket, kind.memory_megabytes, kind.weight, kind.features
        );
        if let Some((count, model)) = &kind.gpus {
            write!(what, " Gres=gpu:{model}:{count}").expect("a string takes all that is written");
        }
        lines += &line(first, kind.nodes, &what);
        first += kind.nodes;
    }
    lines
}

/// The lines for `gres.conf`, none if the cluster has no GPUs. Their device files are in the folder, and named by [`device`].
pub fn of_gpus(cluster: &ClusterSettings, devices: &Path) -> String {
    let mut first = 1;
    let mut lines = String::new();
    for kind in &cluster.kinds {
        if let Some((count, model)) = &kind.gpus {
            let (name, last) = (&cluster.name, first + kind.nodes - 1);
            let files = devices.join(format!("gpu[0-{}]", count - 1));
            writeln!(lines, "NodeName={name}[{first}-{last}] Name=gpu Type={model} File={}", files.display())
                .expect("a string takes all that is written");
        }
        first += kind.nodes;
    }
    lines
}

/// The name of the file that stands for a GPU, counted from zero.
pub fn device(gpu: u32) -> String {
    format!("gpu{gpu}")
}

/// How many GPUs a node has at most.
pub fn gpus_at_most(cluster: &ClusterSettings) -> u32 {
    cluster.kinds.iter().filter_map(|kind| Some(kind.gpus.as_ref()?.0)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::NodeKind;

    #[test]
    fn kinds_share_the_numbers_and_ports_of_a_cluster_without_overlap() {
        let kind = |nodes, gpus| NodeKind {
            nodes,
            sockets: 2,
            cores_per_socket: 8,
            memory_megabytes: 64_000,
            gpus,
            features: "x".to_owned(),
            weight: 1,
        };
        let mut cluster = ClusterSettings::new("alpha", 5);
        cluster.kinds = vec![kind(3, None), kind(2, Some((4, "a100".to_owned())))];
        let lines = of_nodes(&cluster, 100);
        assert!(lines.contains("NodeName=alpha[1-3] ") && lines.contains("Port=[100-102] "), "{lines}");
        assert!(lines.contains("NodeName=alpha[4-5] ") && lines.contains("Port=[103-104] "), "{lines}");
        assert!(lines.contains(" Gres=gpu:a100:4 "), "{lines}");
        assert_eq!(of_gpus(&cluster, Path::new("/x")), "NodeName=alpha[4-5] Name=gpu Type=a100 File=/x/gpu[0-3]\n");
        assert_eq!((gpus_at_most(&cluster), device(3).as_str()), (4, "gpu3"));
        assert_eq!(of_gpus(&ClusterSettings::new("alpha", 5), Path::new("/x")), "");
    }
}
