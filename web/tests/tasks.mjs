// Walks through five user questions in a browser with clicks and keys only, and measures the effort until the answer is visible.
//
//   node web/tests/tasks.mjs            # prints it
//   node web/tests/tasks.mjs --write    # writes web/tests/tasks.md
//
// A script finds everything at once and reads nothing, so its seconds are a lower bound: the time of the page and the daemon. The effort of a person is
// estimated from the clicks, the keys and the words before the answer.
//
// Not for: the gate, and not for whether people understand the text, which only tests with people can show.
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { Daemon, ended, full, job, pageOf, ran } from "./daemon.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
/** Reading speed of a slow reader in a foreign language, and the time to aim and click. */
const WORDS_A_MINUTE = 200;
const SECONDS_A_CLICK = 1.5;
const SECONDS_A_KEY = 0.3;

/** One question, from the opened page to the answer. */
class Walk {
  constructor(page, question) {
    Object.assign(this, { page, question, clicks: 0, keys: 0, words: 0, seen: new Set(), steps: [] });
  }

  async open(url) {
    this.begun = performance.now();
    await this.page.goto(url);
    await this.page.locator("main h2").waitFor();
    this.steps.push("The page is opened. It shows “My jobs”.");
  }

  /** Words from the top of the page to the end of an element, in the order in which they are read. A sentence, or a name in the menu, that was read before and
   * has not changed is known again and does not count twice. */
  async readUntil(element) {
    const texts = await element.evaluate((end) => {
      const read = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const isAfter = end.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING && !end.contains(text);
        if (isAfter) break;
        const isSeen = text.parentElement?.checkVisibility({ visibilityProperty: true }) && text.parentElement.getBoundingClientRect().right > 0;
        if (isSeen) read.push(text.data.trim());
      }
      return read;
    });
    for (const text of texts.filter((one) => !this.seen.has(one))) {
      this.seen.add(text);
      this.words += text.split(/\s+/).filter(Boolean).length;
    }
  }

  async click(element, what) {
    await element.waitFor();
    await this.readUntil(element);
    await element.click();
    this.clicks += 1;
    this.steps.push(`Click: ${what}.`);
  }

  async choose(element, value, what) {
    await element.waitFor();
    await this.readUntil(element);
    await element.selectOption(value);
    // A list is not part of the page, so a script takes from it directly; a person clicks to open it, and to take one.
    this.clicks += 2;
    this.steps.push(`Choose: ${what}.`);
  }

  /** Goes on with Tab to an element, and presses a key there. */
  async press(element, key, times, what) {
    await element.waitFor();
    let tabs = 0;
    while (!(await element.evaluate((wanted) => document.activeElement === wanted))) {
      if (tabs >= 40) throw new Error(`Tab does not lead to it: ${what}`);
      await this.page.keyboard.press("Tab");
      tabs += 1;
    }
    for (let time = 0; time < times; time += 1) await this.page.keyboard.press(key);
    this.keys += tabs + times;
    this.steps.push(`${what}: ${tabs} times Tab, ${times} times ${key}.`);
  }

  /** The answer, once it is to be seen. */
  async answer(element, waitFor = element) {
    await waitFor.waitFor();
    this.seconds = (performance.now() - this.begun) / 1000;
    await this.readUntil(element);
    this.read((await element.innerText()).trim());
    this.isOnFirstScreen = await element.evaluate((found) => found.getBoundingClientRect().bottom <= window.innerHeight);
  }

  read(text) {
    const lines = text.split("\n").map((line) => line.replaceAll("\t", " | ").trim()).filter(Boolean);
    this.steps.push(`Read:\n\n${lines.map((line) => `     > ${line}`).join("  \n")}\n`);
  }

  get person() {
    return Math.round((this.words / WORDS_A_MINUTE) * 60 + this.clicks * SECONDS_A_CLICK + this.keys * SECONDS_A_KEY);
  }
}

const wide = (nodes) => ({ node_count: nodes, cpus: nodes * 16, tres_req_str: `cpu=${nodes * 16},mem=4G,node=${nodes},billing=${nodes * 16}` });

/** Every node is taken; alice has a job of 8 nodes and 4 hours behind others of six users, and one more. */
function queue() {
  const others = ["dave", "eve", "frank", "gina", "hugo", "ines"].map((user, place) =>
    job(90 + place, { user_name: user, user_id: 1003 + place, ...wide([16, 32, 4, 24, 8, 48][place]), time_limit: [120, 240, 60, 180, 480, 120][place] }),
  );
  return [...full(), ...others, job(101, { name: "relax", ...wide(8), time_limit: 240 }), job(102, { name: "post" })];
}

/** What six users ran in the last three weeks on 8 nodes: each asked for four hours, and took from half an hour to an hour and a half. */
function past() {
  const users = ["alice", "bob", "carol", "dave", "eve", "frank"];
  const today = Math.floor(Date.now() / 3_600_000) * 3600;
  const wideJobs = Array.from({ length: 3_000 }, (_, place) => {
    const begun = today - 3600 * (30 + Math.floor(place * 0.16));
    const hour = new Date(begun * 1000).getUTCHours();
    const wait = 300 + (hour > 7 && hour < 18 ? 7200 : 0);
    return ran(400_000 + place, users[place % 6], { userId: 1000 + (place % 6), begun, start: begun + wait, run: 1800 + ((place * 37) % 60) * 60, minutes: 240, cpus: 128 });
  });
  return [...wideJobs, ...ended()];
}

async function walked(browser, daemon, isQuietKnown) {
  const kept = JSON.parse(readFileSync(join(HERE, "pictures/answers.json"), "utf8"));
  const walk = async (question, steps) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 }, extraHTTPHeaders: daemon.headersOf("alice"), timezoneId: "Europe/Berlin", locale: "en-GB", permissions: ["clipboard-read", "clipboard-write"],
    });
    await pageOf(context);
    // A score takes days of jobs to come about, so it is made up.
    await context.route("**/v1/score", (route) => route.fulfill({ json: kept.score }));
    if (!isQuietKnown) await context.route("**/v1/waits*", (route) => route.fulfill({ json: kept.waits }));
    const page = await context.newPage();
    const one = new Walk(page, question);
    await one.open(daemon.url);
    await steps(one, page, (name) => page.getByRole("navigation").getByRole("link", { name }));
    await context.close();
    return one;
  };
  let riskThere;
  const mine = (page) => page.locator("main li", { has: page.getByRole("heading", { name: "101 relax" }) });
  return [
    await walk("When does my job 101 start, and how sure is that?", async (one, page) => {
      await one.answer(mine(page).locator(".when"));
      one.finding = "Easy. The answer is in words next to the bar. The key to the bar's shades opens above it.";
    }),
    await walk("Why does it wait, and what can I change?", async (one, page) => {
      await one.click(mine(page).getByRole("button"), "“Why is it waiting, and what would help?”, below job 101");
      await one.answer(mine(page).locator(".pair"), page.getByRole("heading", { name: "Changes that would help" }));
      riskThere = (await mine(page).locator(".pair").innerText()).match(/Request --time=([\d:-]+) .*\(([\d.]+)\s% risk/);
      one.finding = "Easy: one click, next to the job.";
    }),
    await walk("What limit should I ask for, and what is the risk?", async (one, page, link) => {
      await one.click(link("Plan a job"), "“Plan a job”");
      await one.press(page.getByRole("slider", { name: /Nodes/ }), "ArrowRight", 5, "The slider “Nodes” goes to 8");
      await one.press(page.getByRole("slider", { name: /Time limit/ }), "ArrowRight", 3, "The slider “Time limit” goes to 4 h");
      const table = page.getByRole("heading", { name: "How short can the time limit be?" }).locator("..");
      await one.answer(table, table.getByText("04:00:00").first());
      const lines = (await table.locator("tbody tr").allInnerTexts()).map((line) => line.replace(/\s+/g, " ").trim());
      const again = lines.length - new Set(lines).size;
      const riskHere = lines.find((line) => riskThere && line.startsWith(riskThere[1]))?.match(/([\d.]+)\s%/)?.[1];
      one.finding =
        (again > 0 ? `The table repeats one row ${again + 1} times: it has a row for each maximum risk, also where they give the same limit. ` : "") +
        (riskHere !== undefined && riskHere !== riskThere[2] ? `The same limit has a risk of ${riskHere} % here and of ${riskThere[2]} % in the answer to question 2: the daemon knows the name and the CPUs of that job, and neither of this one. ` : "") +
        "The table lists limits with their risks and recommends none, because the user decides which risk is acceptable. Users with a similar job start from there (“Try other sizes”) and type nothing.";
    }),
    await walk("Can I trust it on this cluster?", async (one, page, link) => {
      await one.click(link("Accuracy"), "“Accuracy”");
      await one.answer(page.locator("main .finding"));
      one.finding = "Easy. The verdict is one sentence, with the figures below. A new daemon shows “No data yet” for days.";
    }),
    await walk("When should I submit a wide job, and which line do I copy?", async (one, page, link) => {
      await one.click(link("Busy hours"), "“Busy hours”");
      const sizes = page.getByLabel("Size");
      await sizes.waitFor();
      const widest = await sizes.locator("option").last().innerText();
      await one.choose(sizes, { label: widest }, `size “${widest}”, the largest in the list`);
      const finding = page.locator("main .finding");
      await finding.waitFor();
      await one.readUntil(finding);
      one.read(await finding.innerText());
      await one.click(page.getByRole("link", { name: "When would such a job start now?" }), "“When would such a job start now?”");
      await one.press(page.getByRole("slider", { name: /Nodes/ }), "ArrowRight", 9, "The slider “Nodes” goes to 32");
      const line = page.locator("code", { hasText: "--nodes=32" });
      await line.waitFor();
      await page.getByText(/It would start/).first().waitFor();
      await one.click(page.getByRole("button", { name: "Copy" }), "“Copy”");
      await one.answer(page.locator(".said"), page.getByRole("button", { name: "Copied" }));
      one.read(`In the clipboard: ${await page.evaluate(() => navigator.clipboard.readText())}`);
      one.finding =
        "Harder than the others: one view shows past weeks and the other one the present, because future submissions are unknown. The command has no --begin, so the user must choose the time.";
    }),
  ];
}

function told(walks, isQuietKnown) {
  const rows = walks.map(
    (one, place) => `| ${place + 1}. ${one.question} | ${one.clicks} | ${one.keys} | ${one.words} | ${one.seconds.toFixed(1)} s | ${one.person} s | ${one.isOnFirstScreen ? "yes" : "no"} |`,
  );
  const parts = walks.map((one, place) => `## ${place + 1}. ${one.question}\n\n${one.steps.map((step, at) => `${at + 1}. ${step}`).join("\n")}\n\n${one.finding}\n`);
  return `# Five questions, walked in a browser

Written by \`node web/tests/tasks.mjs --write\`.
The script walks through the web interface at 1280 × 800, as a user who sees it for the first time, with clicks and keys only.
The daemon runs on a fake cluster on which all nodes are in use.
Machine load during the run: ${loadavg()[0].toFixed(1)} on two cores.

The accuracy in question 4 is synthetic, because a real one needs days of jobs${isQuietKnown ? "" : ". The waits in question 5 are synthetic, too, because this program does not report them yet"}.

| | Clicks | Keys | Words before the answer | Script | Person, about | Visible without scrolling |
|---|---|---|---|---|---|---|
${rows.join("\n")}

**Script** is the time from opening the page until the answer is visible.
A script reads nothing and searches for nothing, so this is a lower bound: the time of the page and the daemon.
**Words** are the words from the top of each page to the next click, or to the end of the answer; unchanged text counts once.
**Person** is an estimate with ${WORDS_A_MINUTE} words per minute, ${SECONDS_A_CLICK} s per click and ${SECONDS_A_KEY} s per key.
No people were observed.

${parts.join("\n")}`;
}

const daemon = await Daemon.begin(queue(), { interval: 30, past: past() });
let browser;
try {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const isQuietKnown = await daemon.untilAnswered("v1/waits", (answer) => answer.all != null, 15).then(() => true, () => false);
  const walks = await walked(browser, daemon, isQuietKnown);
  const text = told(walks, isQuietKnown);
  if (process.argv.includes("--write")) writeFileSync(join(HERE, "tasks.md"), text);
  else console.log(text);
} finally {
  await browser?.close();
  daemon.end();
}
