// How the daemon bears the page: many people who move sliders, and many pages that listen for changes. Run by hand:
//
//   node web/tests/load.mjs sliders [--people=20] [--seconds=30] [--waiting=100,1000,10000] [--even] [--calm] [--other=0.1] [--profile=FILE]
//   node web/tests/load.mjs agreement [--waiting=100,1000] [--even]
//   node web/tests/load.mjs streams [--streams=1000] [--seconds=60] [--intervals=1,30]
//
// --even: every job that waits asks for one node and an hour. --calm: a person rests two seconds between moves. --other: which share of the drags are
// of the slider for GPUs, or follow another choice of partition (half of them each); the others are of nodes. --profile: `perf record` of the daemon while twenty ask, per queue (FILE.1000 and so on).
//
// Times are of those that were answered. Where many were refused (503: not within the daemon's two seconds) they say too little, so both are printed.
//
// Not for: the gate. Times are those of the machine and of whoever else uses it, so each line says how busy the machine was; the processor time that the daemon
// itself took depends less on that.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { loadavg } from "node:os";
import { join } from "node:path";
import { Daemon, full, job } from "./daemon.mjs";

/** As in web/src/views/Submit.svelte: when a table is asked for, when a slider that rests is asked about, and what stands below the answer. */
const TABLE_MS = 40;
const REST_MS = 300;
const LATER_MS = 500;
/** A hand on a slider passes a notch in about this time. */
const NOTCH_MS = 80;
const NOTCHES = 5;
/** Whoever plays on without reading drags this often; a calm one reads for two seconds. */
const DRAG_MS = 3_500;
const CALM_MS = 2_000;
/** From opening the page, or choosing something else, to a slider. */
const HAND_MS = 1_000;
/** How often the queue is read. */
const BOARD_MS = 30_000;

/** The notches of the page that this cluster takes; all of them are in its table. */
const NODES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
const WIDER = [96, 128, 192, 256, 512, 1024];
const GPUS = [0, 1, 2, 3, 4, 6, 8, 12, 16, 32, 64];
/** The last of the cluster's nodes have GPUs, and are a partition of their own besides. */
const GPU_NODES = 8;
const PARTITIONS = ["", "batch", "gpu"];
const LIMITS = [5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720, 1080, 1440, 2160, 2880, 4320, 5760, 7200, 10080].map((minutes) => minutes * 60);

/** As the daemon says to a browser that has lost its stream, and how long a stream lasts (crates/daemon/src/api/routes/changes.rs). */
const RETRY_MS = 1_000;

const [what = "sliders", ...rest] = process.argv.slice(2);
const given = Object.fromEntries(rest.map((option) => option.replace(/^--/, "").split("=")));
const number = (name, otherwise) => Number(given[name] ?? otherwise);
const numbers = (name, otherwise) => (given[name] ?? otherwise).split(",").map(Number);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
const load = () => loadavg()[0].toFixed(1);

/** Jobs that wait, of several sizes and of many users, so that there is something to plan. */
function waiting(count) {
  return Array.from({ length: count }, (_, place) => {
    const nodes = "even" in given ? 1 : [1, 1, 1, 2, 2, 4, 8, 1, 16, 3, 1, 32][place % 12];
    const minutes = "even" in given ? 60 : [30, 60, 120, 240, 480, 720, 1440][place % 7];
    return job(1_000 + place, {
      user_name: `user${place % 40}`, user_id: 2_000 + (place % 40), node_count: nodes, cpus: nodes * 16,
      tres_req_str: `cpu=${nodes * 16},mem=4G,node=${nodes},billing=${nodes * 16}`, time_limit: minutes,
    });
  });
}

/** Processor seconds that a process has taken so far, without its children's. */
function processorSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
const spread = (times) => {
  const sorted = times.toSorted((one, other) => one - other);
  return `p50 ${quantile(sorted, 0.5).toFixed(0)}, p95 ${quantile(sorted, 0.95).toFixed(0)}, max ${(sorted.at(-1) ?? Number.NaN).toFixed(0)} ms`;
};

/** What was asked and what became of it. */
class Tally {
  constructor() {
    // `notch` is what the slider is told by: from the notch to the table's answer, which is there already or on its way. What comes when it rests follows.
    // A notch that is passed before its table comes counts for as long as the table takes.
    this.times = { notch: [], table: [], full: [], limit: [], where: [] };
    this.overtaken = 0;
    this.refused = { 429: 0, 503: 0 };
    /** Answered at once that nothing can be said, by the reason's code: nothing was played for these, so their times are not counted. */
    this.without = {};
    this.other = {};
  }
}

/** One who moves a slider to and fro, as the page asks for them: with each notch what was asked before is given up. */
async function person(daemon, name, until, tally) {
  const agent = new Agent({ keepAlive: true, maxSockets: 6 });
  const ask = (path, question, given, kind) =>
    new Promise((resolve) => {
      const begun = performance.now();
      const sent = JSON.stringify(question);
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(sent), ...daemon.headersOf(name) };
      const asked = request({ host: "127.0.0.1", port: daemon.port, path: `/v1/${path}`, method: "POST", headers, agent, signal: given }, (answer) => {
        let body = "";
        answer.setEncoding("utf8");
        answer.on("data", (text) => (body += text));
        answer.on("end", () => {
          const status = answer.statusCode;
          const nothing = status === 200 ? JSON.parse(body).no_forecast?.code : undefined;
          if (nothing !== undefined) tally.without[nothing] = (tally.without[nothing] ?? 0) + 1;
          else if (status === 200) tally.times[kind].push(performance.now() - begun);
          else if (status in tally.refused) tally.refused[status] += 1;
          else tally.other[status] = (tally.other[status] ?? 0) + 1;
          resolve(status === 200);
        });
        answer.on("error", () => resolve(false));
      });
      asked.on("error", (error) => {
        if (error.name === "AbortError") tally.overtaken += 1;
        else tally.other[error.code] = (tally.other[error.code] ?? 0) + 1;
        resolve(false);
      });
      asked.end(sent);
    });

  // Nobody begins at the same moment as all others.
  await sleep(Math.random() * DRAG_MS);
  let ended = new AbortController();
  const under = [];
  const tables = new Tables((question, signal) => ask("forecast/table", question, signal, "table"));
  // Places on the sliders, and which way the hand goes.
  const at = { nodes: 0, gpus: 0, partition: 0, limit: Math.floor(Math.random() * LIMITS.length) };
  const way = { nodes: 1, gpus: 1 };
  const move = (slider, length) => {
    if (at[slider] + way[slider] < 0 || at[slider] + way[slider] >= length) way[slider] = -way[slider];
    at[slider] += way[slider];
  };
  const choice = () => ({ ...(at.partition === 0 ? {} : { partition: PARTITIONS[at.partition] }), ...(at.gpus === 0 ? {} : { gpus: GPUS[at.gpus] }) });
  let expires = Date.now() + BOARD_MS;
  tables.choose(choice());
  await sleep(HAND_MS);
  while (Date.now() < until) {
    const drag = Date.now();
    const isOther = Math.random() < number("other", 0.1);
    const slider = isOther && Math.random() < 0.5 ? "gpus" : "nodes";
    if (Date.now() >= expires) {
      expires = Date.now() + BOARD_MS;
      tables.renew(choice());
    }
    if (isOther && slider === "nodes") {
      at.partition = (at.partition + 1) % PARTITIONS.length;
      tables.choose(choice());
      const moved = performance.now();
      under.push(tables.until(choice()).then(() => tally.times.notch.push(performance.now() - moved)));
    }
    for (let notch = 0; notch < NOTCHES; notch += 1) {
      move(slider, slider === "gpus" ? GPUS.length : NODES.length);
      if (slider === "gpus") tables.choose(choice());
      ended.abort();
      ended = new AbortController();
      const question = { nodes: NODES[at.nodes], limit_seconds: LIMITS[at.limit], ...choice() };
      const is = ended.signal;
      const moved = performance.now();
      under.push(tables.until(choice()).then(() => tally.times.notch.push(performance.now() - moved)));
      const later = (ms, path, kind = path) => sleep(ms).then(() => (is.aborted || Date.now() > until ? undefined : ask(path, question, is, kind)));
      under.push(later(REST_MS, "forecast", "full"), later(LATER_MS, "limit"), later(LATER_MS, "where"));
      await sleep(NOTCH_MS);
    }
    at.limit = (at.limit + 1) % LIMITS.length;
    await sleep(drag + ("calm" in given ? Math.max(DRAG_MS, CALM_MS + NOTCHES * NOTCH_MS) : DRAG_MS) - Date.now());
  }
  tables.end();
  await Promise.all(under);
  agent.destroy();
}

/** What the page knows and asks for: as in web/src/tables.svelte.ts. A notch that no table has answered yet counts for as long as it takes, up to the end. */
class Tables {
  constructor(ask) {
    this.ask = ask;
    this.board = 0;
    this.known = new Map();
    this.underway = new Map();
    this.answered = new Map();
    this.waiting = [];
    this.ended = new AbortController();
  }

  static key({ partition, gpus }) {
    return `${gpus ?? 0} ${partition ?? ""}`;
  }

  /** When something is known of this choice. */
  until(choice) {
    if (this.known.has(Tables.key(choice))) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ key: Tables.key(choice), resolve }));
  }

  learn(choices) {
    for (const choice of choices) this.known.set(Tables.key(choice), this.board);
    for (const { key, resolve } of this.waiting) if (this.known.has(key)) resolve();
    this.waiting = this.waiting.filter(({ key }) => !this.known.has(key));
  }

  /** The daemon has something new: what is known stands until it is known anew. */
  renew(choice) {
    this.board += 1;
    this.choose(choice);
  }

  choose(choice) {
    this.ended.abort();
    this.ended = new AbortController();
    const { signal } = this.ended;
    void sleep(TABLE_MS).then(() => (signal.aborted ? undefined : this.take(choice, signal)));
  }

  async take(choice, signal) {
    const board = this.board;
    const sizes = { nodes: [...NODES, ...WIDER], limits_seconds: LIMITS };
    const here = choice.partition === undefined ? {} : { partition: choice.partition };
    const withThese = choice.gpus === undefined ? {} : { gpus: choice.gpus };
    const beside = [
      { name: `gpus ${Tables.key(here)}`, question: { job: here, ...sizes, gpus: GPUS }, choices: GPUS.map((gpus) => ({ ...here, gpus })) },
      { name: `partitions ${Tables.key(withThese)}`, question: { job: withThese, ...sizes, every_partition: true }, choices: PARTITIONS.map((partition) => ({ ...withThese, partition })) },
    ];
    const isOnItsWay = beside.some(({ name }) => this.underway.has(name));
    if (this.known.get(Tables.key(choice)) !== board && !isOnItsWay && (await this.ask({ job: choice, ...sizes }, signal))) this.learn([choice]);
    for (const { name, question, choices } of beside) {
      if (signal.aborted) return;
      if (this.answered.get(name) === board) continue;
      if (!this.underway.has(name)) this.underway.set(name, this.ask(question));
      const isAnswered = await this.underway.get(name);
      this.underway.delete(name);
      if (isAnswered) {
        this.answered.set(name, board);
        this.learn(choices);
      }
    }
  }

  end() {
    this.ended.abort();
    for (const { resolve } of this.waiting) resolve();
  }
}

async function sliders() {
  const [people, seconds] = [number("people", 20), number("seconds", 30)];
  console.log(`${seconds} s each; a drag of ${NOTCHES} notches every ${DRAG_MS / 1000} s; the daemon has something new every ${BOARD_MS / 1000} s.`);
  for (const count of numbers("waiting", "100,1000,10000")) {
    const daemon = await Daemon.begin([...full(), ...waiting(count)], { interval: BOARD_MS / 1000, nodesInterval: 60, gpuNodes: GPU_NODES });
    try {
      for (const some of people === 1 ? [1] : [1, people]) {
        const tally = new Tally();
        const busy = load();
        const perf = "profile" in given && some > 1 ? spawn("perf", ["record", "-q", "-g", "-p", String(daemon.process.pid), "-o", `${given.profile}.${count}`, "--", "sleep", String(seconds)]) : undefined;
        const [begun, before] = [performance.now(), processorSeconds(daemon.process.pid)];
        const until = Date.now() + seconds * 1000;
        await Promise.all(Array.from({ length: some }, (_, place) => person(daemon, `u${place + 1}`, until, tally)));
        const took = (performance.now() - begun) / 1000;
        const used = processorSeconds(daemon.process.pid) - before;
        if (perf?.exitCode === null) await new Promise((resolve) => perf.once("exit", resolve));
        const answered = Object.values(tally.times).reduce((sum, times) => sum + times.length, 0);
        console.log(`${count} wait, ${some === 1 ? "one asks" : `${some} ask`} (load of the machine ${busy}):`);
        for (const [kind, times] of Object.entries(tally.times)) console.log(`  ${{ notch: "told at a notch", full: "forecast, at rest" }[kind] ?? kind}:`.padEnd(21) + `${String(times.length).padStart(5)} answers: ${spread(times)}`);
        console.log(
          `  refused: 429 ${tally.refused[429]}, 503 ${tally.refused[503]}; nothing said: ${JSON.stringify(tally.without)}; given up by the next notch: ${tally.overtaken}; else: ${JSON.stringify(tally.other)}; ` +
            `daemon: ${((used / took) * 100).toFixed(0)} % of a core, ${((used / Math.max(1, answered)) * 1000).toFixed(1)} ms an answer`,
        );
      }
    } finally {
      daemon.end();
    }
  }
}

/** One page that listens: its stream ends after 25 s, and it begins the next a second later with what it heard last. */
function listen(daemon, agent, counts) {
  let [last, isEnded, asked] = [undefined, false, undefined];
  const begin = () => {
    if (isEnded) return;
    const headers = { accept: "text/event-stream", ...(last === undefined ? {} : { "last-event-id": last }) };
    asked = request({ socketPath: join(daemon.folder, "api.sock"), path: "/v1/changes", agent, headers: { host: "localhost", ...headers } }, (answer) => {
      if (answer.statusCode !== 200) counts.refused += 1;
      counts.open += 1;
      counts.most = Math.max(counts.most, counts.open);
      answer.setEncoding("utf8");
      answer.on("data", (text) => {
        for (const [, id] of text.matchAll(/^id: ?(.*)$/gm)) last = id;
        counts.events += (text.match(/^event: ?change$/gm) ?? []).length;
      });
      answer.once("close", () => {
        counts.open -= 1;
        if (!isEnded) setTimeout(begin, RETRY_MS);
      });
    });
    counts.begun += 1;
    asked.on("error", () => {
      counts.broken += isEnded ? 0 : 1;
      if (!isEnded) setTimeout(begin, RETRY_MS);
    });
    asked.end();
  };
  begin();
  return () => {
    isEnded = true;
    asked?.destroy();
  };
}

async function streams() {
  const [many, seconds] = [number("streams", 1_000), number("seconds", 60)];
  for (const interval of numbers("intervals", "1,30")) {
    // Few that wait: forecasting many takes a core by itself, and what streams take would not be seen beside it.
    const daemon = await Daemon.begin([...full(), ...waiting(10)], { interval, nodesInterval: 60 });
    try {
      const measure = async () => {
        const [busy, before, asked, begun] = [load(), processorSeconds(daemon.process.pid), await daemon.until(() => true), performance.now()];
        await sleep(seconds * 1000);
        const after = await daemon.until(() => true);
        return { share: ((processorSeconds(daemon.process.pid) - before) / (performance.now() - begun)) * 100_000, calls: after.queue.calls - asked.queue.calls, busy };
      };
      console.log(`the queue is read every ${interval === 1 ? "second" : `${interval} s`}; ${seconds} s each:`);
      const without = await measure();
      console.log(`  without streams:  ${without.share.toFixed(1)} % of a core, ${without.calls} calls of squeue (load of the machine ${without.busy})`);
      const counts = { open: 0, most: 0, events: 0, begun: 0, broken: 0, refused: 0 };
      const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: many });
      const ends = [];
      // Over ten seconds, as people come: all at the same moment would reopen together for ever.
      for (let place = 0; place < many; place += 1) {
        ends.push(listen(daemon, agent, counts));
        if (place % 10 === 9) await sleep((10_000 * 10) / many);
      }
      await sleep(2_000);
      const [events, begun] = [counts.events, counts.begun];
      const beside = await measure();
      console.log(
        `  ${counts.most} streams:     ${beside.share.toFixed(1)} % of a core, ${beside.calls} calls of squeue (load of the machine ${beside.busy}); ` +
          `${counts.events - events} changes told, ${counts.begun - begun} begun again, ${counts.refused} refused, ${counts.broken} broken`,
      );
      for (const end of ends) end();
      agent.destroy();
      await sleep(2_000);
      // Once more, so that it is known how much two measurements without streams differ.
      const again = await measure();
      console.log(`  without, again:   ${again.share.toFixed(1)} % of a core, ${again.calls} calls of squeue (load of the machine ${again.busy})`);
      console.log(`  the streams alone: ${(beside.share - (without.share + again.share) / 2).toFixed(1)} % of a core`);
    } finally {
      daemon.end();
    }
  }
}

/** How far what the table says first is from what is said once the sliders rest: of each size and limit, with jobs of several sizes before and behind. */
async function agreement() {
  for (const count of numbers("waiting", "100,1000")) {
    const daemon = await Daemon.begin([...full(), ...waiting(count)], { interval: 600, nodesInterval: 600 });
    try {
      const post = async (path, question) =>
        (await fetch(`${daemon.url}v1/${path}`, { method: "POST", headers: { "content-type": "application/json", ...daemon.headersOf("alice") }, body: JSON.stringify(question) })).json();
      const limits = LIMITS.filter((_, place) => place % 3 === 0);
      const { now, rows } = await post("forecast/table", { nodes: NODES, limits_seconds: limits });
      const cells = rows.flatMap(({ nodes, cells }) => cells.map((cell) => ({ nodes, ...cell })));
      const apart = [];
      for (const { nodes, limit_seconds, start } of cells) {
        const alone = await post("forecast", { nodes, limit_seconds });
        if (!alone.start || !start) continue;
        const wide = Math.max(60, alone.start.range80.to.unix - alone.start.range80.from.unix);
        apart.push((now.unix + start.median_seconds - alone.start.median.unix) / wide);
      }
      const sorted = apart.toSorted((one, other) => one - other);
      console.log(`${count} wait: first less full answer, as a part of the width of the 80 % range: ${[0.05, 0.25, 0.5, 0.75, 0.95].map((share) => quantile(sorted, share).toFixed(2)).join(", ")} (at 5, 25, 50, 75, 95 % of ${sorted.length})`);
    } finally {
      daemon.end();
    }
  }
}

await { sliders, streams, agreement }[what]();
