// The page in a real browser before a real daemon: every view, as everybody, when all is well and when it is not.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { Daemon, full, job, pageOf } from "./daemon.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = ["jobs", "submit", "queue", "quiet", "trust", "operators"];
const WIDTHS = [360, 1280, 2560];
const HOSTILE = `"><img src=x onerror="window.hit=1"><script>window.hit=1</script>{{7*7}}\u202e`;

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
});
after(() => browser?.close());

/** A page as somebody sees it; everything it complains about or asks elsewhere is kept. */
async function opened(daemon, user, { view = "jobs", width = 1280, dark = false, prefix = daemon.url } = {}) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? "dark" : "light",
    extraHTTPHeaders: daemon.headersOf(user),
    timezoneId: "Europe/Berlin",
    locale: "en-GB",
  });
  await pageOf(context);
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(prefix)) page.complaints.push(`asked elsewhere: ${request.url()}`);
  });
  // The stream of changes stays open.
  page.unanswered = new Set();
  page.on("request", (request) => request.url().includes("/v1/changes") || page.unanswered.add(request));
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => page.unanswered.delete(request));
  await page.goto(`${prefix}#/${view}`);
  return page;
}

/** Refusals that a test means to see are written to the console by the browser itself. */
const complaints = (page, ...meant) => page.complaints.filter((told) => !meant.some((word) => told.includes(word)));

async function accessible(page, what) {
  // The policy forbids scripts of others, so it is run by the browser's own tools and not in the page's name.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const told = found.violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target).join(" ")}`);
  assert.deepEqual(told, [], what);
}

async function fits(page, what) {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, globalThis.innerWidth]);
  assert.ok(wide <= window, `${what}: ${wide} > ${window}`);
}

test("a user sees when each of their jobs starts, with a range, and nobody else's jobs", async (t) => {
  const mine = [job(101, { name: "relax" }), job(102, { node_count: 8, cpus: 128, tres_req_str: "cpu=128,mem=4G,node=8,billing=128" })];
  const daves = job(103, { user_name: "dave", user_id: 1003, name: "secret-of-dave" });
  const daemon = await Daemon.begin([...full(), ...mine, daves]);
  t.after(() => daemon.end());
  const page = await opened(daemon, "alice");
  await page.getByRole("heading", { name: "101 relax" }).waitFor();
  const body = await page.locator("main").innerText();
  assert.match(body, /2 jobs pending, 0 running\./);
  assert.match(body, /starts at about \d\d:\d\d/);
  assert.match(body, /80\s% range: \d\d:\d\d to \d\d:\d\d/);
  assert.ok(!body.includes("103") && !body.includes("secret-of-dave"));
  await page.getByRole("button", { name: "Why is it waiting" }).first().click();
  await page.getByRole("heading", { name: "Changes that would help" }).waitFor();
  assert.deepEqual(complaints(page), []);

  await t.test("the page is told of a change and asks by itself", async () => {
    daemon.jobs([...full(), ...mine, daves, job(104, { name: "another" })]);
    await page.getByRole("heading", { name: "104 another" }).waitFor({ timeout: 20_000 });
    assert.deepEqual(complaints(page), []);
  });

  await t.test("everybody sees their own, operators and coordinators what they may", async () => {
    for (const [user, view, sees, seesNot] of [
      ["dave", "jobs", ["103 secret-of-dave"], ["relax"]],
      ["dave", "queue", ["secret-of-dave"], ["relax"]],
      ["oscar", "queue", ["secret-of-dave", "relax"], []],
      ["carol", "queue", ["relax", "secret-of-dave"], []],
      [null, "jobs", ["You are not signed in"], ["relax", "secret-of-dave"]],
      [null, "queue", ["You are not signed in"], ["relax", "secret-of-dave"]],
    ]) {
      const other = await opened(daemon, user, { view });
      if (view === "queue" && user !== null) await other.getByText("As a table").click();
      for (const text of sees) await other.locator("main").getByText(text).first().waitFor();
      const told = await other.locator("body").innerText();
      for (const text of seesNot) assert.ok(!told.includes(text), `${user} sees ${text}`);
      assert.deepEqual(complaints(other, "403"), [], String(user));
      await other.context().close();
    }
  });

  await t.test("every view fits every screen, in light and dark, and axe finds nothing", async () => {
    for (const view of VIEWS) {
      for (const width of WIDTHS) {
        for (const dark of [false, true]) {
          const other = await opened(daemon, "oscar", { view, width, dark });
          await other.locator("main h2").waitFor();
          await other.waitForLoadState("load");
          await other.waitForFunction(() => !document.querySelector("main")?.innerText.includes("Loading …"));
          const what = `${view} at ${width}${dark ? ", dark" : ""}`;
          await fits(other, what);
          await accessible(other, what);
          assert.deepEqual(complaints(other), [], what);
          if (process.env.SCREENSHOTS) await other.screenshot({ path: `${process.env.SCREENSHOTS}/${view}-${width}${dark ? "-dark" : ""}.png`, fullPage: true });
          await other.context().close();
        }
      }
    }
  });

  await t.test("each notch of a slider is told within a tenth of a second, from what is there; the job is worked out in full once it rests", async () => {
    const other = await opened(daemon, "alice", { view: "submit" });
    const quick = "This is a quick forecast. The full forecast follows when the sliders rest.";
    await other.locator(".said[aria-busy=false]").waitFor();
    assert.ok(!(await other.locator(".said").innerText()).includes(quick));
    // Full answers are held back while the slider moves: whatever is told then was in the page already.
    let letThrough = () => {};
    const hasMoved = new Promise((resolve) => (letThrough = resolve));
    await other.route((url) => url.pathname.endsWith("/v1/forecast"), async (route) => {
      await hasMoved;
      // One that the page has given up since cannot go on.
      await route.continue().catch(() => {});
    });
    const slider = other.getByRole("slider", { name: /Nodes/ });
    await slider.focus();
    // From the key to the frame in which the page shows the answer to it, by the page's own clock.
    await other.evaluate((words) => {
      window.told = [];
      document.querySelector("input[type=range]").addEventListener("input", () => {
        const moved = performance.now();
        const look = () => {
          const said = document.querySelector(".said");
          if (!said.classList.contains("older") && said.innerText.includes(words)) window.told.push(performance.now() - moved);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
    }, quick);
    for (let place = 0; place < 8; place += 1) {
      await other.keyboard.press("ArrowRight");
      await other.waitForFunction((count) => window.told.length === count, place + 1);
    }
    const told = await other.evaluate(() => window.told);
    // In the middle of eight: the machine of a gate has pauses of its own.
    assert.ok(told.toSorted((one, other) => one - other)[4] < 100, `${told}`);
    assert.equal(await other.locator(".said").getAttribute("aria-busy"), "true");
    letThrough();
    await other.locator(".said[aria-busy=false]").waitFor();
    assert.ok(!(await other.locator(".said").innerText()).includes(quick));
    assert.deepEqual(complaints(other), []);
    await other.context().close();
  });

  await t.test("a slider moves the answer, and a pasted script the sliders", async () => {
    const other = await opened(daemon, "alice", { view: "submit" });
    await other.getByText(/It would start/).first().waitFor();
    const slider = other.getByRole("slider", { name: /Nodes/ });
    await slider.focus();
    for (let place = 0; place < 5; place += 1) await other.keyboard.press("ArrowRight");
    await other.getByText("sbatch --nodes=8 --time=01:00:00 job.sh").waitFor();
    await other.getByText("Or paste a job script").click();
    await other.getByRole("textbox", { name: "Job script" }).fill("#!/bin/bash\n#SBATCH -N 4 --time=2:00:00 -J solve -c 4\n#SBATCH --mem=4G\nsrun x\n#SBATCH -N 64\n");
    await other.getByText("sbatch --nodes=4 --ntasks-per-node=1 --cpus-per-task=4 --time=02:00:00 --job-name=solve job.sh").waitFor();
    await other.getByLabel("CPUs per node").fill("2");
    await other.getByLabel("CPUs per node").blur();
    // The script's own four would count beside the line.
    await other.getByText("sbatch --nodes=4 --ntasks-per-node=2 --cpus-per-task=1 --time=02:00:00 --job-name=solve job.sh").waitFor();
    assert.match(await other.locator("main").innerText(), /4 options used\.\s+Ignored: --mem\./);
    assert.deepEqual(complaints(other), []);
  });
});

test("from a job the sliders are reached set to its size, and the line to copy is one command whatever the job is called", async (t) => {
  const hostile = `it's; touch /tmp/x $(id) "a"`;
  const wide = { node_count: 8, cpus: 128, tres_req_str: "cpu=128,mem=4G,node=8,billing=128", time_limit: 240 };
  const daemon = await Daemon.begin([...full(), job(101, { name: "relax", ...wide }), job(102, { name: hostile })], { interval: 30 });
  t.after(() => daemon.end());
  const supposed = async (number) => {
    const page = await opened(daemon, "alice");
    const mine = page.locator("main li", { has: page.getByRole("heading", { name: new RegExp(`^${number}`) }) });
    await mine.getByRole("link", { name: "Try other sizes" }).click();
    await page.locator(".said[aria-busy=false]").waitFor();
    return page;
  };
  const page = await supposed(101);
  assert.equal(await page.getByRole("slider", { name: /Nodes/ }).getAttribute("aria-valuetext"), "8");
  assert.equal(await page.getByLabel("Job name").inputValue(), "relax");
  await page.getByText("sbatch --nodes=8 --ntasks-per-node=16 --time=04:00:00 --partition=batch --job-name=relax job.sh").waitFor();
  await accessible(page, "the sliders of a job");
  const other = await supposed(102);
  const line = await other.locator(".line code").innerText();
  const given = spawnSync("bash", ["-c", `sbatch() { printf '%s\\n' "$@"; }; ${line}`], { encoding: "utf8" });
  assert.deepEqual(given.stdout.split("\n"), ["--nodes=1", "--ntasks-per-node=16", "--time=01:00:00", "--partition=batch", `--job-name=${hostile}`, "job.sh", ""], line);
  assert.equal(given.stderr, "");
  assert.deepEqual([...complaints(page), ...complaints(other)], []);
});

test("a daemon that has no time is asked again, and what could be said at once stands meanwhile", async (t) => {
  const daemon = await Daemon.begin([...full(), job(101)], { interval: 30 });
  t.after(() => daemon.end());
  const page = await opened(daemon, "alice", { view: "jobs" });
  let refused = 0;
  await page.route((url) => /\/v1\/(forecast|limit|where)$/.test(url.pathname), (route) => {
    if (refused >= 3) return route.continue();
    refused += 1;
    return route.fulfill({ status: 503, json: { error: { code: "too_late", message: "it took longer than 2 s", hint: "ask again" } } });
  });
  await turnedTo(page, "submit");
  await page.getByText("This is a quick forecast.").waitFor();
  await page.getByText("ask again").first().waitFor();
  await page.locator(".said", { hasNotText: "This is a quick forecast." }).waitFor();
  await page.getByText("(requested)").waitFor();
  assert.equal(await page.getByText("ask again").count(), 0);
  assert.equal(refused, 3);
  assert.deepEqual(complaints(page, "503"), []);
});

test("another partition and each number of GPUs are told from what is there, without asking", async (t) => {
  const daemon = await Daemon.begin([...full(), job(101, { name: "relax" })], { interval: 30, gpuNodes: 8 });
  t.after(() => daemon.end());
  const page = await opened(daemon, "alice", { view: "submit" });
  // All partitions are known, so the table of all of them has come, which is the last that is asked for.
  await page.locator("option", { hasText: "gpu" }).waitFor({ state: "attached" });
  assert.deepEqual(await page.locator("option").allInnerTexts(), ["default", "batch", "gpu"]);
  await page.locator(".said[aria-busy=false]").waitFor();
  // From now on nothing is answered: whatever is told was in the page already.
  await page.route((url) => url.pathname.includes("/v1/forecast"), () => {});
  const quick = "This is a quick forecast. The full forecast follows when the sliders rest.";
  const told = async (line) => {
    await page.getByText(line).waitFor();
    await page.locator(".said:not(.older)").filter({ hasText: quick }).waitFor();
  };
  await page.getByRole("slider", { name: /GPUs/ }).focus();
  for (const gpus of [1, 2, 3, 4]) {
    await page.keyboard.press("ArrowRight");
    await told(`sbatch --nodes=1 --time=01:00:00 --gpus=${gpus} job.sh`);
  }
  // A node has four, and one node is asked for.
  await page.keyboard.press("ArrowRight");
  await page.getByText("sbatch --nodes=1 --time=01:00:00 --gpus=6 job.sh").waitFor();
  assert.equal(await page.locator(".said.older").count(), 0);
  await page.locator(".said .finding").filter({ hasNotText: /It would start/ }).waitFor();
  for (let place = 0; place < 5; place += 1) await page.keyboard.press("ArrowLeft");
  await page.getByRole("combobox").selectOption("gpu");
  await told("sbatch --nodes=1 --time=01:00:00 --partition=gpu job.sh");
  assert.deepEqual(complaints(page), []);
});

test("an array of which a task has started is not new since the last look; a job that has come is", async (t) => {
  const array = (tasks) => job(200, { name: "sweep", array_job_id: 200, array_task_string: tasks });
  const running = full();
  const daemon = await Daemon.begin([...running, job(101, { name: "relax" }), array("4-9")]);
  t.after(() => daemon.end());
  const page = await opened(daemon, "alice");
  await page.getByRole("heading", { name: "200_[4-9] sweep" }).waitFor();
  // That look was an hour ago.
  await page.waitForFunction(() => localStorage.getItem("queuecast.last-look") !== null);
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem("queuecast.last-look"));
    kept.now.at -= 3600;
    localStorage.setItem("queuecast.last-look", JSON.stringify(kept));
  });
  const started = { ...running[0], job_id: 201, name: "sweep", user_name: "alice", user_id: 1000, array_job_id: 200, array_task_id: 4, start_time: running[0].start_time + 5300 };
  const split = job(202, { name: "sweep", array_job_id: 200, array_task_id: 5 });
  daemon.jobs([started, ...running.slice(1), job(101, { name: "relax" }), split, array("6-9"), job(104, { name: "another" })]);
  for (const name of ["200_5 sweep", "200_[6-9] sweep", "104 another"]) await page.getByRole("heading", { name }).waitFor({ timeout: 20_000 });
  await page.reload();
  await page.getByText("new since your last visit").first().waitFor();
  const of = (name) => page.locator("li", { has: page.getByRole("heading", { name }) }).innerText();
  assert.match(await of("104 another"), /new since your last visit/);
  for (const name of ["101 relax", "200_4 sweep", "200_5 sweep", "200_[6-9] sweep"]) assert.ok(!(await of(name)).includes("new since"), name);
  for (const name of ["200_5 sweep", "200_[6-9] sweep"]) assert.ok(!(await of(name)).includes("on your last visit"), name);
  assert.deepEqual(complaints(page), []);
});

/** Opens another view of the same page, as people do. */
async function turnedTo(page, view) {
  await page.locator(`nav a[href="#/${view}"]`).click();
  await page.locator(`nav a[href="#/${view}"][aria-current="page"]`).waitFor();
}

/** Waits until all requests of the page have a response, so that a refusal is not written to the console while the next view is checked. */
async function answered(page) {
  await page.waitForFunction(() => !document.querySelector("main")?.innerText.includes("Loading …"));
  const deadline = Date.now() + 30_000;
  while (page.unanswered.size > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(page.unanswered.size, 0, "a request has no response after 30 s");
}

test("everybody sees in every view what they may, and nothing else in what is shown or sent", async (t) => {
  const others = { alice: "relax", dave: "secret-of-dave", zoe: "letter-of-zoe" };
  const daemon = await Daemon.begin(
    [
      ...full(),
      job(101, { name: others.alice }),
      job(103, { user_name: "dave", user_id: 1003, name: others.dave }),
      // Whose account carol does not coordinate.
      job(104, { user_name: "zoe", user_id: 1009, name: others.zoe, account: "letters" }),
    ],
    { interval: 30 },
  );
  t.after(() => daemon.end());
  await daemon.untilAnswered("v1/waits", (answer) => answer.all !== null);
  const own = (name) => ({
    jobs: { sees: [name] },
    queue: { sees: [name, "1 job"] },
    operators: { sees: ["Some figures are shown to operators only."] },
  });
  const none = "You have no pending or running jobs.";
  const unknown = "You are not signed in";
  const operatorsOnly = ["Longest waits by account", "What if another policy", "Response times", "Recent slow requests", "Jobs stored"];
  const everybody = {
    submit: { sees: [/It would start/, "How short can the time limit be?", "sbatch --nodes=1 --time=01:00:00 job.sh"] },
    quiet: { sees: [/Shortest waits:/] },
    trust: { sees: ["No data yet"] },
  };
  const people = {
    // An anonymous page is refused twice and says so; the browser writes each refusal to the console.
    nobody: {
      user: null,
      views: { jobs: { sees: [unknown], meant: ["403"] }, queue: { sees: [unknown], meant: ["403"] }, operators: { sees: ["Some figures are shown to operators only."] } },
      never: ["relax", "secret-of-dave", "letter-of-zoe", "alice", "dave", "zoe", "bob", "science", "letters", ...operatorsOnly],
    },
    "a user": { user: "alice", views: own("relax"), never: ["secret-of-dave", "letter-of-zoe", "dave", "zoe", "bob", "letters", ...operatorsOnly] },
    "another user": { user: "dave", views: own("secret-of-dave"), never: ["relax", "letter-of-zoe", "alice", "zoe", "bob", "letters", ...operatorsOnly] },
    "a coordinator": {
      user: "carol",
      views: { jobs: { sees: [none] }, queue: { sees: ["relax", "secret-of-dave", "bob", "66 jobs"] }, operators: own("").operators },
      never: ["letter-of-zoe", "zoe", "letters", ...operatorsOnly],
    },
    "an operator": {
      user: "oscar",
      views: {
        jobs: { sees: [none] },
        queue: { sees: ["relax", "secret-of-dave", "letter-of-zoe", "bob", "67 jobs"] },
        operators: { sees: ["Longest waits by account", "letters", "What if another policy", "Response times", "Jobs stored"] },
      },
      never: ["Some figures are shown to operators only."],
    },
  };
  for (const [who, { user, views, never }] of Object.entries(people)) {
    await t.test(who, async () => {
      const page = await opened(daemon, user);
      // What was sent counts too: what is not shown could still be read.
      const sent = [];
      page.on("response", (response) => {
        if (response.url().includes("/v1/") && !response.url().includes("/v1/changes")) sent.push(response.text().catch(() => ""));
      });
      await page.reload();
      for (const view of VIEWS) {
        const { sees, meant = [] } = views[view] ?? everybody[view];
        const what = `${who}, ${view}`;
        await turnedTo(page, view);
        await page.locator("main h2").waitFor();
        if (view === "queue" && user !== null) await page.getByText("As a table").click();
        for (const text of sees) await page.locator("main").getByText(text).first().waitFor();
        await answered(page);
        const told = await page.content();
        for (const text of never) assert.ok(!told.includes(text), `${what}: ${text} is shown`);
        await accessible(page, what);
        assert.deepEqual(complaints(page, ...meant), [], what);
        page.complaints.length = 0;
      }
      const all = (await Promise.all(sent)).join("\n");
      assert.ok(sent.length >= VIEWS.length, `${sent.length} answers were read`);
      for (const text of never.filter((name) => !/[A-Z]/.test(name))) assert.ok(!all.includes(text), `${who}: ${text} was sent`);
      await page.context().close();
    });
  }
});

test("a cluster without a single job says so in every view", async (t) => {
  const daemon = await Daemon.begin([], { past: [], interval: 30 });
  t.after(() => daemon.end());
  for (const [user, jobs, queue, meant] of [
    ["oscar", "You have no pending or running jobs.", "No pending or running jobs that you may see.", []],
    [null, "You are not signed in", "You are not signed in", ["403"]],
  ]) {
    const page = await opened(daemon, user);
    for (const [view, text] of [
      ["jobs", jobs], ["submit", /It would start immediately/], ["queue", queue], ["quiet", "No data yet"], ["trust", "No data yet"], ["operators", "Sources"],
    ]) {
      await turnedTo(page, view);
      await page.locator("main").getByText(text).first().waitFor();
      await answered(page);
      const told = await page.locator("body").innerText();
      assert.ok(!/NaN|undefined|Infinity|null|1970/.test(told), `${user}, ${view}: ${told}`);
      await accessible(page, `${user}, ${view} of an empty cluster`);
      assert.deepEqual(complaints(page, ...meant), [], `${user}, ${view}`);
    }
    await page.context().close();
  }
});

test("while the daemon is silent every view says that it asks, and never that there is nothing", async (t) => {
  const daemon = await Daemon.begin([...full(), job(101, { name: "relax" })], { interval: 30 });
  t.after(() => daemon.end());
  const page = await opened(daemon, "alice");
  await page.getByRole("heading", { name: "101 relax" }).waitFor();
  daemon.fallSilent();
  for (const view of ["submit", "queue", "quiet", "trust", "operators", "jobs"]) {
    await turnedTo(page, view);
    await page.locator("main").getByText("Loading …").waitFor();
    const told = await page.locator("main").innerText();
    assert.ok(!/no pending or running jobs|No data yet|immediately/i.test(told), `${view}: ${told}`);
    await accessible(page, `${view} while it asks`);
  }
  daemon.wake();
  await page.getByRole("heading", { name: "101 relax" }).waitFor();
  assert.deepEqual(complaints(page), []);
});

test("where Slurm hides jobs and usage, whoever is not known is refused in words", async (t) => {
  const daemon = await Daemon.begin([...full(), job(101, { name: "relax" })], { privateData: "jobs,usage", interval: 30 });
  t.after(() => daemon.end());
  const page = await opened(daemon, null);
  for (const [view, text] of [
    ["jobs", "You are not signed in"], ["submit", "You are not signed in"], ["queue", "You are not signed in"],
    ["quiet", "No data yet"], ["trust", "No data yet"], ["operators", "Some figures are shown to operators only."],
  ]) {
    await turnedTo(page, view);
    await page.locator("main").getByText(text).first().waitFor();
    await answered(page);
    const told = await page.content();
    for (const hidden of ["relax", "alice", "bob", "science", "It would start"]) assert.ok(!told.includes(hidden), `${view}: ${hidden}`);
    await accessible(page, `${view}, refused`);
    assert.deepEqual(complaints(page, "403"), [], view);
  }
});

test("when it is quiet is told of five users or more, and operators have the past replayed under another policy", async (t) => {
  const daemon = await Daemon.begin([...full(), job(101, { name: "relax" })]);
  t.after(() => daemon.end());
  await daemon.untilAnswered("v1/waits", (answer) => answer.all !== null);

  await t.test("waits by weekday and hour", async () => {
    for (const user of ["alice", null]) {
      const page = await opened(daemon, user, { view: "quiet" });
      await page.getByText(/Shortest waits: \w+ from \d\d:00, median 2 min\./).waitFor();
      await page.getByText(/Longest waits: \w+ from \d\d:00, median 1 h 22 min\./).waitFor();
      assert.equal(await page.locator("tbody tr").count(), 8);
      assert.equal(await page.locator("td.shade0").count() > 0 && (await page.locator("td.shade2").count()) > 0, true);
      await page.getByLabel("Partition").selectOption("batch");
      await page.getByLabel("Size").selectOption("1 node");
      await page.getByText(/Shortest waits:/).waitFor();
      await accessible(page, `quiet as ${user}`);
      assert.deepEqual(complaints(page), []);
      await page.context().close();
    }
  });

  await t.test("what if", async () => {
    const page = await opened(daemon, "oscar", { view: "operators" });
    await page.getByRole("heading", { name: "Longest waits by account" }).waitFor();
    await page.locator("td", { hasText: "science" }).first().waitFor();
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByText("120 jobs of the last 2 weeks, on").waitFor();
    assert.match(await page.locator("main").innerText(), /backfill, shortest first; mean of the user's last two runs/);
    assert.ok(!(await page.locator("main").innerText()).includes("longer than this limit"));
    await page.getByLabel("Maximum time limit").selectOption({ label: "1 h" });
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByText("No job ran longer than this limit.").waitFor();
    assert.match(await page.locator("main").innerText(), /mean of the user's last two runs; at most 1 h/);
    await accessible(page, "what if");
    assert.deepEqual(complaints(page), []);
    const other = await opened(daemon, "alice", { view: "operators" });
    await other.getByText("Some figures are shown to operators only.").waitFor();
    assert.equal(await other.getByText("What if another policy").count(), 0);
    assert.equal((await daemon.ask("v1/operations", "alice")).status, 403);
    assert.equal((await daemon.ask("v1/what-if", "alice")).status, 403);
    assert.deepEqual(complaints(other), []);
  });

  await t.test("an hour in which half did not wait is told so, and not as shorter than nothing", async () => {
    const page = await opened(daemon, "alice", { view: "quiet" });
    await page.route("**/v1/waits*", async (route) => {
      const response = await route.fetch();
      const waits = await response.json();
      const told = waits.by_weekday_and_hour.flat().filter(Boolean);
      told.forEach((wait, place) => (wait.median_seconds = place * 60));
      await route.fulfill({ response, json: waits });
    });
    await page.reload();
    await page.getByText(/Shortest waits: \w+ from \d\d:00; half of the jobs did not wait\./).waitFor();
    assert.deepEqual(complaints(page), []);
    await page.context().close();
  });

  await t.test("beside a first that never waits there is no percentage", async () => {
    const way = (policy, wait_change_percent) => ({ policy, predictor: "estimate", mean_wait_seconds: 0, median_wait_seconds: 0, mean_bounded_slowdown: 1, wait_change_percent });
    const unknown = { mean: null, low95: null, high95: null };
    const ended_early = { jobs: 1200, work_percent: 8.25 };
    const last = { request: { weeks: 2, policy: "fcfs", predictor: "estimate" }, jobs: 12_000, processors: 64, problem: null, ended_early, compared: [way("easy", null), way("fcfs", null), way("conservative", unknown), way("easy-sjbf", { mean: 12, low95: 8, high95: 16 })] };
    const page = await opened(daemon, "oscar", { view: "operators" });
    await page.route("**/v1/what-if", (route) => route.fulfill({ json: { policies: ["easy"], predictors: ["estimate"], running: null, last } }));
    await page.reload();
    const table = page.getByRole("region", { name: "What if another policy" });
    await table.waitFor();
    assert.deepEqual(await table.locator("tbody td:last-child").allInnerTexts(), ["baseline", "–", "–", "+12\u00a0% (95\u00a0%: +8.0\u00a0% to +16\u00a0%)"]);
    await page.getByText("1,200 jobs ran longer than this limit and would have been killed: 8.3\u00a0% of all work.").waitFor();
    await accessible(page, "what if, without percentages");
    assert.deepEqual(complaints(page), []);
  });
});

test("the queue's timeline names what it draws, has round times, and marks what goes on after it", async (t) => {
  const daemon = await Daemon.begin([...full(), job(101, { name: "relax" }), job(102, { name: "long", time_limit: 6000 })], { interval: 30 });
  t.after(() => daemon.end());
  /** Pixels of an arrow's colour at the right end, where no median is. */
  const arrows = (page) =>
    page.locator("canvas").evaluate((canvas) => {
      const context = new OffscreenCanvas(4, canvas.height).getContext("2d", { willReadFrequently: true });
      context.fillStyle = getComputedStyle(canvas).getPropertyValue("--median");
      const colour = [1, 3, 5].map((at) => Number.parseInt(context.fillStyle.slice(at, at + 2), 16));
      context.drawImage(canvas, 4 - canvas.width, 0);
      const { data } = context.getImageData(0, 0, 4, canvas.height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) count += colour.every((part, place) => data[at + place] === part) ? 1 : 0;
      return count;
    });
  for (const width of WIDTHS) {
    for (const dark of [false, true]) {
      const what = `${width}${dark ? ", dark" : ""}`;
      const page = await opened(daemon, "oscar", { view: "queue", width, dark });
      const legend = page.getByRole("list", { name: "Key to the timeline" });
      await legend.waitFor();
      const named = (await legend.getByRole("listitem").allInnerTexts()).join("\n");
      for (const text of ["running", "may run", "50\u00a0% range", "median", "now", "after the hours shown"]) assert.ok(named.includes(text), `${what}: ${named}`);

      const slider = page.getByRole("slider", { name: "Hours shown" });
      for (const [key, hours, after] of [["Home", 3, true], ["End", 336, false]]) {
        await slider.press(key);
        const chart = page.getByRole("region", { name: `over the next ${hours} hours` });
        await chart.waitFor();
        assert.equal((await chart.getAttribute("aria-label")).includes("of which 1 may continue after that"), after, `${what}, ${hours} h`);
        assert.equal((await arrows(page)) > 0, after, `${what}, ${hours} h: arrows`);
        const times = await chart.locator("svg text").evaluateAll((texts) => texts.map((text) => ({ text: text.textContent, ...text.getBoundingClientRect().toJSON() })));
        assert.ok(times.length > (width < 400 ? 0 : 1), `${what}, ${hours} h: ${JSON.stringify(times)}`);
        const round = hours === 3 ? /^(\d\d:(00|15|30|45)|\w{3},? \d+ \w+)$/ : /^\w{3},? \d+ \w+$/;
        for (const [place, time] of times.entries()) {
          assert.match(time.text, round, `${what}, ${hours} h`);
          assert.ok(time.right <= width && (place === 0 || times[place - 1].right < time.left), `${what}, ${hours} h: ${JSON.stringify(times)}`);
        }
      }
      await accessible(page, what);
      await fits(page, what);
      assert.deepEqual(complaints(page), [], what);
      await page.context().close();
    }
  }

  await t.test("and so does a fan of possible starts", async () => {
    const page = await opened(daemon, "alice");
    await page.route("**/v1/queue?*me=true*", async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      answer.jobs.find((found) => found.job.name === "relax").start.range95.to.unix += 40 * 86_400;
      await route.fulfill({ response, json: answer });
    });
    await page.reload();
    const fan = page.locator("li", { has: page.getByRole("heading", { name: "101 relax" }) });
    await fan.getByRole("img", { name: "may start later than the axis shows" }).waitFor();
    assert.equal(await fan.locator("svg path").count(), 1);
    assert.equal((await page.locator(".axis svg text").allTextContents()).every((text) => /^(\d\d:(00|15|30|45)|\w{3},? \d+ \w+)$/.test(text)), true);
    await accessible(page, "a fan that goes on");
    assert.deepEqual(complaints(page), []);
    await page.context().close();
  });
});

test("names that try to be markup are text", async (t) => {
  const daemon = await Daemon.begin([...full(), job(101, { name: HOSTILE }), job(102, { user_name: "eve", user_id: 1005, name: HOSTILE })]);
  t.after(() => daemon.end());
  for (const view of ["jobs", "queue"]) {
    const page = await opened(daemon, view === "jobs" ? "alice" : "oscar", { view });
    if (view === "queue") await page.getByText("As a table").click();
    await page.getByText("window.hit=1").first().waitFor();
    assert.equal(await page.evaluate(() => globalThis.hit), undefined);
    assert.equal(await page.locator("main img, main script").count(), 0);
    assert.deepEqual(complaints(page), []);
  }
});

test("a queue that was not read is not an empty one, and neither is one that cannot be read any more", async (t) => {
  const starting = await Daemon.begin([], { isReady: false });
  t.after(() => starting.end());
  const early = await opened(starting, "alice");
  await early.getByText("has not read the queue yet").waitFor();
  assert.ok(!(await early.locator("main").innerText()).includes("no pending or running jobs"));

  // Its clock runs a minute a second: a quarter of an hour without a reading is over soon.
  const begun = Date.now() / 1000;
  const daemon = await Daemon.begin([...full(), job(101, { name: "relax" })], { interval: 60, options: ["--clock", `${begun}:${begun}:60`] });
  t.after(() => daemon.end());
  const page = await opened(daemon, "alice");
  await page.getByRole("heading", { name: "101 relax" }).waitFor();
  daemon.breakSlurm();
  await daemon.until((health) => health.status === "stale");
  await page.reload();
  await page.getByText(/Queue data is .* old/).waitFor();
  await page.getByText(/too old (for a forecast|to show)/).first().waitFor();
  for (const view of VIEWS) {
    await turnedTo(page, view);
    await page.getByText(/Queue data is .* old/).waitFor();
    await answered(page);
    const told = await page.locator("main").innerText();
    assert.ok(!/no pending or running jobs|It would start/i.test(told), `${view}, stale: ${told}`);
    await accessible(page, `${view}, stale`);
  }
  assert.deepEqual(complaints(page, "503"), []);

  const empty = await Daemon.begin(full());
  t.after(() => empty.end());
  await (await opened(empty, "alice")).getByText("You have no pending or running jobs.").waitFor();
});

test("what came is held against what was said, in the words of the answer", async (t) => {
  const daemon = await Daemon.begin(full());
  t.after(() => daemon.end());
  // A score takes days of jobs by five users to come about, so this one is made up; its form is held to by the types of the page.
  const expert = (name) => ({ name, median_absolute_error_seconds: 1500, mean_absolute_error_seconds: 4000 });
  const figures = (p80, error) => ({
    forecasts: 900, jobs: 300, coverage: { p50: 0.48, p80, p90: 0.9, p95: 0.94 }, range80_median_width_seconds: 3600, median_absolute_error_seconds: error,
    within_10_minutes: 0.61, experts: { forecasts: 800, members: ["ours", "simulation", "simulation:repaired", "recent", "recent:class", "recent:user", "forest", "last waits"].map(expert) },
    slurm: { median_absolute_error_seconds: 5400, within_10_minutes: 0.2, missing: 0.1, too_late: 0.5, ours_median_absolute_error_seconds: error, ours_within_10_minutes: 0.6 },
  });
  const group = (name, p80, error) => ({ name, users: 9, first: figures(p80, error), all: figures(p80, error) });
  for (const [p80, verdict] of [[0.79, "well calibrated"], [0.6, "too narrow"], [0.97, "wider than necessary"]]) {
    const page = await opened(daemon, "alice", { view: "trust" });
    await page.route("**/v1/score", (route) =>
      route.fulfill({ json: { overall: group("all", p80, 600), by_partition: [group("batch", p80, 600)], by_class: [group("up to 1 h", p80, 300)], better_for_a_month: [] } }),
    );
    await page.reload();
    await page.getByText(verdict).waitFor();
    const told = await page.locator("main").innerText();
    for (const text of ["Slurm's estimate", "1 h 30 min", "last waits", "25 min", "10 min", "batch", "up to 1 h"]) assert.ok(told.includes(text), `${text}: ${told}`);
    // Names of ours are told in words; one that there are no words for is told as it is, as above.
    for (const text of ["Simulation of the queue", "Recent waits of the same user", "Model trained on all of these"]) assert.ok(told.includes(text), `${text}: ${told}`);
    for (const text of ["recent:", "simulation:", "ours\n"]) assert.ok(!told.includes(text), `${text}: ${told}`);
    await accessible(page, "trust");
    await fits(page, "trust");
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/trust-made-up.png`, fullPage: true });
    assert.deepEqual(complaints(page), []);
    await page.context().close();
  }
});

test("a page under a prefix asks below it, and a daemon that goes away is told and waited for", async (t) => {
  const daemon = await Daemon.begin([...full(), job(101, { name: "relax" })]);
  t.after(() => daemon.end());
  let isAway = false;
  const proxy = createServer((asked, answered) => {
    if (isAway || !asked.url.startsWith("/portal/queuecast/")) return asked.socket.destroy();
    const path = asked.url.slice("/portal/queuecast".length);
    const passed = request({ port: daemon.port, path, method: asked.method, headers: { ...asked.headers, host: `127.0.0.1:${daemon.port}` } }, (answer) => {
      answered.writeHead(answer.statusCode, answer.headers);
      answer.pipe(answered);
    });
    passed.on("error", () => answered.destroy());
    asked.pipe(passed);
  }).listen(0, "127.0.0.1");
  t.after(() => proxy.close());
  await new Promise((resolve) => proxy.once("listening", resolve));
  const page = await opened(daemon, "alice", { prefix: `http://127.0.0.1:${proxy.address().port}/portal/queuecast/` });
  await page.getByRole("heading", { name: "101 relax" }).waitFor();
  assert.deepEqual(complaints(page), []);
  isAway = true;
  proxy.closeAllConnections();
  await page.getByText("The daemon does not respond.").waitFor({ timeout: 45_000 });
  assert.ok((await page.locator("main").innerText()).includes("101"), "what was known is still shown");
  isAway = false;
  await page.getByText("The daemon does not respond.").waitFor({ state: "detached", timeout: 45_000 });
});

test("ten thousand jobs are drawn without a long pause, and a thousand of one user are shown within a second on a slow line", async (t) => {
  const many = Array.from({ length: 10_000 }, (_, place) => job(1_000 + place, { user_name: place < 1_000 ? "alice" : `user${place % 40}`, user_id: place < 1_000 ? 1000 : 2000 + (place % 40) }));
  const daemon = await Daemon.begin([...full(), ...many], { interval: 60 });
  t.after(() => daemon.end());
  const page = await opened(daemon, "oscar", { view: "queue" });
  await page.getByText(/10064 jobs/).waitFor({ timeout: 60_000 });
  const longest = await page.evaluate(async () => {
    let most = 0;
    const seen = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) most = Math.max(most, entry.duration);
    });
    seen.observe({ entryTypes: ["longtask"] });
    const slider = document.querySelector('main input[type="range"]');
    for (let place = 0; place < 8; place += 1) {
      slider.value = String(place);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30)));
    }
    seen.disconnect();
    return most;
  });
  t.diagnostic(`longest pause while zooming 10,064 jobs: ${longest} ms`);
  assert.ok(longest < 200, `${longest} ms`);

  const context = await browser.newContext({ extraHTTPHeaders: daemon.headersOf("alice") });
  const slow = await context.newPage();
  const line = await context.newCDPSession(slow);
  await line.send("Network.enable");
  await line.send("Network.emulateNetworkConditions", { offline: false, latency: 40, downloadThroughput: (20e6) / 8, uploadThroughput: (20e6) / 8 });
  const begun = Date.now();
  await slow.goto(daemon.url);
  await slow.getByText(/starts .*at about/).first().waitFor();
  const took = Date.now() - begun;
  t.diagnostic(`first view of 1,000 own jobs over 20 Mbit/s and 40 ms: ${took} ms`);
  // A second is the aim, held to on a quiet machine; the gate's may be loaded.
  assert.ok(took < 3_000, `${took} ms`);
});
