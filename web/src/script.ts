// What a pasted job script asks for: the #SBATCH lines before its first command, as far as the sliders know them.
// Not for: everything that sbatch knows. `qcast when job.sh` reads a script whole.
//
// Source: sbatch(1), "Batch script"; the forms of --time.

export interface Wanted {
  nodes?: number;
  limitSeconds?: number;
  partition?: string;
  gpus?: number;
  name?: string;
  tasks?: number;
  tasksPerNode?: number;
  cpusPerTask?: number;
}

export interface Script {
  wanted: Wanted;
  /** Options that were understood. */
  taken: number;
  /** Options that were not looked at. */
  ignored: string[];
}

const SHORT: Record<string, string> = { N: "nodes", t: "time", p: "partition", G: "gpus", J: "job-name", n: "ntasks", c: "cpus-per-task" };

/** Minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes, days-hours:minutes:seconds. */
export function writtenTime(text: string): number | undefined {
  const match = /^(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [days, first, second, third] = match.slice(1).map((part) => (part === undefined ? undefined : Number(part)));
  if (days !== undefined) return days * 86_400 + (first ?? 0) * 3_600 + (second ?? 0) * 60 + (third ?? 0);
  if (third !== undefined) return (first ?? 0) * 3_600 + (second ?? 0) * 60 + third;
  return (first ?? 0) * 60 + (second ?? 0);
}

export function read(text: string): Script {
  const script: Script = { wanted: {}, taken: 0, ignored: [] };
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*$/.test(line) || (line.startsWith("#") && !line.startsWith("#SBATCH"))) continue;
    // Nothing after the first command counts.
    if (!line.startsWith("#SBATCH")) break;
    const parts = line.slice("#SBATCH".length).replace(/\s#.*$/, "").trim().split(/\s+/);
    for (let place = 0; place < parts.length; place += 1) {
      const part = parts[place] ?? "";
      const long = /^--([a-z-]+)(?:=(.*))?$/.exec(part);
      const short = /^-([A-Za-z])(.*)$/.exec(part);
      const name = long?.[1] ?? SHORT[short?.[1] ?? ""] ?? part;
      let value = long ? long[2] : short?.[2];
      if ((value === undefined || value === "") && parts[place + 1] !== undefined && !parts[place + 1]?.startsWith("-")) {
        place += 1;
        value = parts[place];
      }
      if (take(script.wanted, name, value ?? "")) script.taken += 1;
      else script.ignored.push(part.replace(/=.*/, ""));
    }
  }
  // Without a number of nodes it is Slurm who spreads them.
  const { tasks, nodes, tasksPerNode } = script.wanted;
  if (tasks !== undefined && nodes === undefined && tasksPerNode === undefined) {
    delete script.wanted.tasks;
    script.taken -= 1;
    script.ignored.push("--ntasks");
  }
  return script;
}

function take(wanted: Wanted, name: string, value: string): boolean {
  const number = /^(\d+)/.exec(value)?.[1];
  if (name === "nodes" && number) wanted.nodes = Number(number);
  else if (name === "time") wanted.limitSeconds = writtenTime(value);
  else if (name === "partition" && value !== "") wanted.partition = value.split(",")[0];
  else if (name === "ntasks" && number) wanted.tasks = Number(number);
  else if (name === "ntasks-per-node" && number) wanted.tasksPerNode = Number(number);
  else if (name === "cpus-per-task" && number) wanted.cpusPerTask = Number(number);
  else if (name === "job-name" && value !== "") wanted.name = value.replace(/^(["'])(.*)\1$/, "$2");
  else if (name === "gpus" && value !== "") wanted.gpus = Number(/(\d+)$/.exec(value)?.[1] ?? 1);
  else if (name === "gres" && value.startsWith("gpu")) wanted.gpus = Number(/:(\d+)$/.exec(value)?.[1] ?? 1);
  else return false;
  return name !== "time" || wanted.limitSeconds !== undefined;
}
