//! Requests, possible and impossible, as sbatch is told them and as the product is.
//!
//! Not drawn: fewer nodes by name than nodes in all (`-w a1 -N 2`), which `--test-only` refuses and sbatch takes and starts.

use queuecast_records::{GresAsked, GresPer, JobLayout, MemoryAsked};
use queuecast_site::cluster::Request;
use queuecast_slurm_lab::site::{USERS, account_of, second_account_of};
use queuecast_workload::Seconds;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// One request.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// As sbatch is told it.
    pub arguments: Vec<String>,
    /// As the product is.
    pub request: Request,
}

const PARTITIONS: [&str; 10] =
    ["", "batch", "long", "debug", "gpu", "gpu", "scavenger", "batch,long", "debug,batch", "nowhere"];
const QUALITIES: [&str; 16] = [
    "", "", "", "", "normal", "high", "history", "strict", "strict", "minutes", "loose", "few", "crowd", "reserved",
    "part_gpu", "none",
];

/// So many requests: every user and every partition and quality of service in turn, and the rest as it is drawn.
pub fn requests(seed: u64, count: usize) -> Vec<Drawn> {
    let mut random = Pcg64::seed_from_u64(seed);
    (0..count).map(|number| Drawing { random: &mut random, drawn: blank() }.request(number)).collect()
}

fn blank() -> Drawn {
    Drawn { arguments: Vec::new(), request: Request { jobs: 1, ..Request::default() } }
}

struct Drawing<'a> {
    random: &'a mut Pcg64,
    drawn: Drawn,
}

impl Drawing<'_> {
    fn request(mut self, number: usize) -> Drawn {
        let user = 1 + u32::try_from(number).expect("a few hundred") % USERS;
        self.drawn.request.user = format!("user{user:02}");
        self.whose(user, number);
        self.sizes();
        if self.one_in(3) {
            self.memory();
        }
        if self.drawn.request.partitions.iter().any(|name| name == "gpu") || self.one_in(8) {
            self.gpus();
        }
        if self.one_in(4) {
            self.nodes();
        }
        if self.one_in(2) {
            let minutes = self.pick(&[1, 10, 31, 60, 90, 91, 120, 121, 720, 1_081, 4_321]);
            self.drawn.request.limit = Some(Seconds(i64::from(minutes) * 60));
            self.tell(format!("--time={minutes}"));
        }
        if self.one_in(12) {
            self.drawn.request.exclusive = true;
            self.tell("--exclusive".to_owned());
        }
        if self.one_in(12) {
            let tasks = self.pick(&[2_u32, 3, 6]);
            self.drawn.request.jobs = u64::from(tasks);
            self.tell(format!("--array=1-{tasks}"));
        }
        if self.one_in(40) {
            "matlab".clone_into(&mut self.drawn.request.licenses);
            self.tell("--licenses=matlab".to_owned());
        }
        if self.one_in(40) {
            self.drawn.request.reservation = Some("course".to_owned());
            self.tell("--reservation=course".to_owned());
        }
        self.drawn
    }

    /// Partition, quality of service and account.
    fn whose(&mut self, user: u32, number: usize) {
        // In steps without a common divisor, so that they meet in all ways.
        let partition = PARTITIONS[(number / 3) % PARTITIONS.len()];
        if !partition.is_empty() {
            self.drawn.request.partitions = partition.split(',').map(str::to_owned).collect();
            self.tell(format!("--partition={partition}"));
        }
        let qos = QUALITIES[(number / 7) % QUALITIES.len()];
        if !qos.is_empty() {
            self.drawn.request.qos = Some(qos.to_owned());
            self.tell(format!("--qos={qos}"));
        }
        let account = match self.random.random_range(0..24) {
            0 => Some("nobody"),
            1 => Some(["astro", "flow", "cells"][number % 3]),
            2 => second_account_of(user),
            3 | 4 => Some(account_of(user)),
            _ => None,
        };
        if let Some(account) = account {
            self.drawn.request.account = Some(account.to_owned());
            self.tell(format!("--account={account}"));
        }
    }

    /// Nodes, tasks and CPUs, around what the nodes have: 16 and 32 CPUs, 8 to 72 nodes in a partition.
    fn sizes(&mut self) {
        let mut layout = JobLayout::default();
        if self.one_in(2) {
            let nodes = self.pick(&[1, 1, 2, 3, 4, 5, 8, 9, 16, 17, 48, 56, 57, 72, 73, 81]);
            let most = if self.one_in(4) { nodes + self.pick(&[1, 4, 100]) } else { nodes };
            (layout.nodes_min, layout.nodes_max) = (Some(nodes), Some(most));
            self.tell(if most == nodes { format!("--nodes={nodes}") } else { format!("--nodes={nodes}-{most}") });
        }
        if self.one_in(2) {
            let tasks = self.pick(&[1, 2, 4, 16, 17, 32, 33, 64, 100, 128, 257, 512, 897, 1_024, 1_409]);
            layout.tasks = Some(tasks);
            self.tell(format!("--ntasks={tasks}"));
        }
        if self.one_in(4) {
            let tasks = self.pick(&[1, 2, 4, 8, 16, 17, 32, 33]);
            layout.tasks_per_node = Some(tasks);
            self.tell(format!("--ntasks-per-node={tasks}"));
        }
        if self.one_in(3) {
            let cpus = self.pick(&[1, 2, 4, 8, 16, 17, 32, 33]);
            layout.cpus_per_task = Some(cpus);
            self.tell(format!("--cpus-per-task={cpus}"));
        }
        if self.one_in(20) {
            let cores = self.pick(&[8, 9, 16, 17]);
            layout.cores_per_socket = Some(cores);
            self.tell(format!("--cores-per-socket={cores}"));
        }
        self.drawn.request.layout = layout;
    }

    fn memory(&mut self) {
        let (memory, word) = if self.one_in(2) {
            let mebibytes = self.pick(&[1_000_u32, 32_000, 64_000, 64_001, 200_001, 256_000, 256_001]);
            (MemoryAsked::PerNode(u64::from(mebibytes)), format!("--mem={mebibytes}"))
        } else {
            let mebibytes = self.pick(&[1_000_u32, 4_000, 4_001, 8_000, 8_001, 64_000, 256_001]);
            (MemoryAsked::PerCpu(u64::from(mebibytes)), format!("--mem-per-cpu={mebibytes}"))
        };
        self.drawn.request.layout.memory = Some(memory);
        self.tell(word);
    }

    fn gpus(&mut self) {
        let model = self.pick(&["", "", "a100", "v100", "h100"]);
        let (per, option, counts): (_, _, &[u64]) = match self.random.random_range(0..8) {
            0..=3 => (GresPer::Node, "--gres=gpu", &[1, 2, 3, 4, 5]),
            4 | 5 => (GresPer::Job, "--gpus", &[1, 2, 4, 6, 8, 16, 17, 32, 33]),
            6 => (GresPer::Node, "--gpus-per-node", &[1, 2, 4, 5]),
            _ => (GresPer::Task, "--gpus-per-task", &[1, 2, 3, 4, 5]),
        };
        let count = self.pick(counts);
        let between = if option.starts_with("--gres") { ":" } else { "=" };
        let named = if model.is_empty() { count.to_string() } else { format!("{model}:{count}") };
        self.tell(format!("{option}{between}{named}"));
        let gres = GresAsked { name: "gpu".to_owned(), model: model.to_owned(), count, per };
        self.drawn.request.layout.gres = vec![gres];
        if self.drawn.request.layout.memory.is_none() && self.one_in(5) {
            let mebibytes = self.pick(&[10_000, 64_000, 64_001, 256_000, 256_001]);
            self.drawn.request.memory_per_gpu_mebibytes = Some(mebibytes);
            self.tell(format!("--mem-per-gpu={mebibytes}"));
        }
    }

    /// Features, nodes it must have and nodes it must not.
    fn nodes(&mut self) {
        match self.random.random_range(0..3) {
            0 => {
                let features = self.pick(&[
                    "thin",
                    "fat",
                    "bigmem",
                    "a100",
                    "thin|fat",
                    "fat&bigmem",
                    "thin&fat",
                    "a100|fat",
                    "none",
                ]);
                self.drawn.request.features = features.to_owned();
                self.tell(format!("--constraint={features}"));
            }
            1 => {
                let names =
                    self.pick(&["site1", "site[1-2]", "site60", "site[7-10]", "site80", "site[70-75]", "site99"]);
                let count = queuecast_records::NodeList::parse(names).expect("a list").count();
                let layout = &mut self.drawn.request.layout;
                let is_fewer = layout.nodes_min.is_some_and(|least| u64::from(least) > count);
                // Neither may tasks ask for more nodes than are named.
                if !is_fewer && layout.tasks.is_none_or(|tasks| u64::from(tasks) <= count) {
                    self.drawn.request.required_nodes = names.to_owned();
                    self.tell(format!("--nodelist={names}"));
                }
            }
            _ => {
                let names = self.pick(&["site1", "site[57-72]", "site[1-80]", "site[73-78]", "site[9-80]", "site99"]);
                self.drawn.request.excluded_nodes = names.to_owned();
                self.tell(format!("--exclude={names}"));
            }
        }
    }

    fn one_in(&mut self, many: u32) -> bool {
        self.random.random_range(0..many) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.random.random_range(0..from.len())]
    }

    fn tell(&mut self, argument: String) {
        self.drawn.arguments.push(argument);
    }
}
