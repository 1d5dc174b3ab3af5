// A real daemon for the tests of the page, on a Slurm that is made up: commands that print what a test wants. Over TCP, behind a "proxy" whose
// secret the tests know, so that a browser can come as anybody.
//
// Not for: how Slurm behaves (tests/slurm-lab).
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const QCAST = process.env.QCAST ?? join(ROOT, "target/debug/qcast");
const NODES = 64;
const CPUS = 16;

/** What each of Slurm's commands does. */
const COMMAND = readFileSync(join(ROOT, "tests/made-up-slurm/command"), "utf8");

const HEADER = "JobIDRaw|JobID|JobName|User|UID|Account|Partition|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|ReqCPUS|ExitCode";

/** The time, which all of them share. */
const now = () => Math.floor(Date.now() / 1000);

/** A job; what is given counts instead. */
export function job(number, more = {}) {
  const at = now();
  return {
    job_id: number, job_state: "PENDING", submit_time: at - 3600, eligible_time: at - 3600, cluster: "made", name: `solve${number}`,
    user_name: "alice", user_id: 1000, account: "science", partition: "batch", qos: "normal", time_limit: 60, nodes: "", start_time: 0,
    end_time: 0, tres_req_str: `cpu=${CPUS},mem=4G,node=1,billing=${CPUS}`, cpus: CPUS, node_count: 1, priority: Math.max(1, 1_000_000 - number),
    state_reason: "Priority", shared: null, array_job_id: 0, array_task_id: null, array_task_string: "", dependency: "", features: "", flags: [],
    nice: null, ...more,
  };
}

/** Jobs on every node for another half hour, of bob. */
export function full() {
  return Array.from({ length: NODES }, (_, place) =>
    job(place + 1, {
      job_state: "RUNNING", user_name: "bob", user_id: 1001, nodes: node(place), start_time: now() - 5400,
      end_time: now() + 1800, time_limit: 120, tres_alloc_str: `cpu=${CPUS},mem=4G,node=1,billing=${CPUS}`,
    }),
  );
}

/** A job that ran, as sacct tells of it. */
export function ran(id, user, { userId, begun, start, run, minutes = 60, cpus = CPUS }) {
  return [id, id, "solve", user, userId, "science", "batch", "COMPLETED", begun, start, start + run, run, minutes, cpus, "0:0"].join("\u001f");
}

/** What ran on the last four days: in each of five hours a job of each of six users, the later the longer it had waited. */
export function ended() {
  const users = ["alice", "bob", "carol", "dave", "eve", "frank"];
  return Array.from({ length: 120 }, (_, place) => {
    const [user, hour, day] = [place % 6, Math.floor(place / 6) % 5, Math.floor(place / 30)];
    const begun = now() - (now() % 3600) - 86_400 * (2 + day) + hour * 3600 + user * 60;
    return ran(500_000 + place, users[user], { userId: 1000 + user, begun, start: begun + 120 + hour * 1200, run: 900 + place * 20 });
  });
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The page as it was built there, if a folder is named, instead of the one that is in the program: so a change of the page is tried without a build of Rust.
 * What the daemon says along with its page, its policy above all, counts for that one too. */
export async function pageOf(context, folder = process.env.PAGE) {
  if (folder === undefined) return;
  const isOfPage = (name) => (url) => !url.pathname.includes("/v1/") && url.pathname.endsWith(`/${name}`);
  await context.route(isOfPage(""), async (route) => route.fulfill({ response: await route.fetch(), body: readFileSync(join(folder, "index.html")) }));
  for (const name of ["assets/page.js", "assets/page.css", "icon.svg"]) await context.route(isOfPage(name), (route) => route.fulfill({ path: join(folder, name) }));
}

/** The name of a node. */
const node = (place) => `n${String(place).padStart(3, "0")}`;

/** A partition on the nodes from this place on, as scontrol tells of it. */
function partition(name, from, isDefault) {
  return (
    `PartitionName=${name} AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL AllocNodes=ALL Default=${isDefault ? "YES" : "NO"} QoS=N/A DefaultTime=NONE MaxNodes=UNLIMITED ` +
    `MaxTime=UNLIMITED MinNodes=0 Nodes=n[${node(from).slice(1)}-063] PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO OverSubscribe=NO OverTimeLimit=NONE ` +
    `PreemptMode=OFF State=UP TotalCPUs=${(NODES - from) * CPUS} TotalNodes=${NODES - from} SelectTypeParameters=NONE\n`
  );
}

/** A daemon and its made-up Slurm. So many of its nodes, the last, have four GPUs each and are a partition of their own besides. */
export class Daemon {
  static async begin(jobs, { privateData = "none", isReady = true, interval = 1, nodesInterval = 5, options = [], past = ended(), gpuNodes = 0 } = {}) {
    const daemon = new Daemon();
    daemon.folder = mkdtempSync(join(tmpdir(), "qcast-page-"));
    daemon.secret = randomBytes(24).toString("hex");
    for (const part of ["bin", "answers"]) mkdirSync(join(daemon.folder, part));
    for (const command of ["squeue", "sinfo", "scontrol", "sacct", "sacctmgr", "sdiag", "sshare"]) {
      const path = join(daemon.folder, "bin", command);
      writeFileSync(path, COMMAND);
      chmodSync(path, 0o755);
    }
    const golden = (name) => readFileSync(join(ROOT, "tests/golden/slurm-22.05-text", name), "utf8");
    const config = golden("scontrol-config.txt").replace(/(PrivateData\s+= )none/, `$1${privateData}`).replaceAll("alpha", "made");
    daemon.answer("config", config);
    daemon.answer("partition", partition("batch", 0, true) + (gpuNodes > 0 ? partition("gpu", NODES - gpuNodes, false) : ""));
    daemon.answer("users", "Administrator||root\nOperator||oscar\nNone|science|carol\n");
    daemon.answer("sacct", `${[HEADER.replaceAll("|", "\u001f"), ...past].join("\n")}\n`);
    daemon.answer(
      "sinfo.json",
      JSON.stringify({
        meta: {}, errors: [],
        nodes: Array.from({ length: NODES }, (_, place) => {
          const hasGpus = place >= NODES - gpuNodes;
          return {
            name: node(place), hostname: node(place), state: jobs.length > 0 ? "allocated" : "idle", state_flags: [], cpus: CPUS, real_memory: 64_000, features: "",
            gres: hasGpus ? "gpu:4" : "", partitions: hasGpus ? ["batch", "gpu"] : ["batch"], weight: 1,
            tres: `cpu=${CPUS},mem=64000M,billing=${CPUS}${hasGpus ? ",gres/gpu=4" : ""}`,
          };
        }),
      }),
    );
    daemon.jobs(jobs);
    if (!isReady) daemon.answer("silent", "");
    const secretFile = join(daemon.folder, "secret");
    writeFileSync(secretFile, daemon.secret, { mode: 0o600 });
    daemon.port = await freePort();
    daemon.process = spawn(
      QCAST,
      ["serve", "--store", join(daemon.folder, "store.sqlite"), "--socket", join(daemon.folder, "api.sock"), "--listen", `127.0.0.1:${daemon.port}`,
        "--proxy-header", "X-Forwarded-User", "--proxy-secret-file", secretFile, "--queue-interval", String(interval), "--nodes-interval", String(nodesInterval), ...options],
      { env: { PATH: `${join(daemon.folder, "bin")}:/usr/bin:/bin` }, stdio: ["ignore", "ignore", process.env.QCAST_DEBUG ? "inherit" : "ignore"] },
    );
    daemon.url = `http://127.0.0.1:${daemon.port}/`;
    await daemon.until((health) => (isReady ? health.made !== null : true));
    return daemon;
  }

  answer(name, text) {
    writeFileSync(join(this.folder, "answers", name), text);
  }

  /** Other jobs from now on. */
  jobs(jobs) {
    this.answer("squeue.json", JSON.stringify({ meta: {}, errors: [], jobs }));
  }

  /** Slurm answers with an error from now on. */
  breakSlurm() {
    this.answer("broken", "");
  }

  /** What a browser sends so that it is somebody; nothing for nobody. */
  headersOf(user) {
    return user === null ? {} : { "X-Forwarded-User": user, "X-Queuecast-Proxy-Secret": this.secret };
  }

  /** Nobody is answered until it is woken: connections are taken by the system, and that is all. */
  fallSilent() {
    this.process.kill("SIGSTOP");
  }

  wake() {
    this.process.kill("SIGCONT");
  }

  async ask(path, user = "root") {
    return fetch(new URL(path, this.url), { headers: this.headersOf(user) });
  }

  async until(isSo, seconds = 60) {
    const begun = Date.now();
    for (;;) {
      const health = await this.ask("v1/health").then((answer) => answer.json()).catch(() => undefined);
      if (health?.queue !== undefined && isSo(health)) return health;
      if (Date.now() - begun > seconds * 1000) throw new Error(`not within ${seconds} s: ${JSON.stringify(health)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Waits until an answer is so. */
  async untilAnswered(path, isSo, seconds = 60) {
    const begun = Date.now();
    for (;;) {
      const answer = await this.ask(path).then((found) => found.json()).catch(() => undefined);
      if (answer !== undefined && isSo(answer)) return answer;
      if (Date.now() - begun > seconds * 1000) throw new Error(`not within ${seconds} s: ${JSON.stringify(answer)}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  end() {
    this.process.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}
