// Pictures of the views, held against those that are committed: a change of the look that nobody meant is seen.
//
//   node web/tests/pictures.mjs            # compares, and says where what differs was put
//   node web/tests/pictures.mjs --bless    # takes what the page looks like now for right; look at it before you commit it
//   node web/tests/pictures.mjs --record   # asks a daemon anew for the answers that are shown, too
//
// No figure moves: every answer comes from pictures/answers.json, and the page's clock stands still. So no daemon is needed, only dist/ (or PAGE=folder).
// Letters look different on every machine. Where a text is not as wide as it was on the machine of the pictures nothing is compared, and that is said.
//
// Not for: whether answers are right, or whether a view can be read (page.test.mjs).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import { chromium } from "playwright-core";
import { Daemon, job } from "./daemon.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const FOLDER = join(HERE, "pictures");
const PAGE = process.env.PAGE ?? join(HERE, "../dist");
const ADDRESS = "http://queuecast.test/";
const VIEWS = ["jobs", "submit", "queue", "quiet", "trust", "operators"];
/** A pixel differs clearly if one of its colours does by more than this, of 255: what smoothing does to the edge of a letter is less. */
const CLEARLY = 48;
/** So much of a picture may differ clearly. */
const TOLERATED = 0.005;
/** A picture is to stay small in the repository. */
const LARGEST_BYTES = 60_000;

const answersPath = join(FOLDER, "answers.json");
const fontsPath = join(FOLDER, "fonts.json");
const read = (path) => JSON.parse(readFileSync(path, "utf8"));

export async function begun() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--force-color-profile=srgb"] });
}

/** How wide a text is in each of the page's families, in pixels: another font is another width. */
export async function fonts(browser) {
  const page = await browser.newPage();
  const widths = await page.evaluate(() => {
    const context = document.createElement("canvas").getContext("2d");
    const families = {
      text: "15px system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif",
      headings: "700 24px Georgia, Times New Roman, Liberation Serif, serif",
      code: "14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
    };
    return Object.fromEntries(
      Object.entries(families).map(([name, font]) => {
        context.font = font;
        return [name, Math.round(context.measureText("Sphinx of black quartz, judge my vow: 0123456789 – 80 %").width * 10) / 10];
      }),
    );
  });
  await page.close();
  return widths;
}

/** What a text is wider or narrower by than where the pictures were taken; empty if the fonts are the same. */
export async function otherFonts(browser) {
  const [there, here] = [read(fontsPath), await fonts(browser)];
  return Object.keys(there).flatMap((name) => (there[name] === here[name] ? [] : [`${name}: ${here[name]} instead of ${there[name]} pixels`]));
}

/** A view as it looks now. */
async function taken(browser, answers, view, dark) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, colorScheme: dark ? "dark" : "light", timezoneId: "Europe/Berlin", locale: "en-GB", reducedMotion: "reduce",
  });
  const unknown = [];
  await context.route("**/*", (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (pathname === "/v1/changes") return route.fulfill({ contentType: "text/event-stream", body: "retry: 600000\nid: 1\nevent: now\ndata: 1\n\n" });
    if (pathname.startsWith("/v1/")) {
      const name = pathname === "/v1/queue" ? (searchParams.has("me") ? "own" : "queue") : pathname.slice("/v1/".length);
      if (name in answers) return route.fulfill({ json: answers[name] });
      unknown.push(pathname);
      return route.fulfill({ status: 404, json: {} });
    }
    const path = join(PAGE, pathname === "/" ? "index.html" : pathname);
    return existsSync(path) ? route.fulfill({ path }) : route.fulfill({ status: 404 });
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(answers.health.now.unix * 1000);
  await page.goto(`${ADDRESS}#/${view}`);
  await page.locator("main h2").waitFor();
  await page.waitForFunction(() => !document.querySelector("main")?.innerText.includes("Loading …"));
  if (view === "submit") {
    await page.locator("main td").first().waitFor();
    await page.locator(".said[aria-busy=false]").waitFor();
  }
  await page.evaluate(() => document.fonts.ready);
  const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
  await context.close();
  if (unknown.length > 0) throw new Error(`${view}: no answer is kept for ${unknown.join(", ")}`);
  return picture;
}

/** The share of pixels that differ clearly, and a picture of where. Decoded by the browser, which can do it already. */
async function compared(browser, one, other) {
  const page = await browser.newPage();
  const found = await page.evaluate(
    async ({ urls, clearly }) => {
      const [mine, theirs] = await Promise.all(urls.map(async (url) => createImageBitmap(await (await fetch(url)).blob())));
      if (mine.width !== theirs.width || mine.height !== theirs.height) return { share: 1, where: undefined };
      const canvas = Object.assign(document.createElement("canvas"), { width: mine.width, height: mine.height });
      const context = canvas.getContext("2d", { willReadFrequently: true });
      const pixels = [mine, theirs].map((picture) => {
        context.clearRect(0, 0, picture.width, picture.height);
        context.drawImage(picture, 0, 0);
        return context.getImageData(0, 0, picture.width, picture.height);
      });
      let count = 0;
      const [a, b] = pixels.map((image) => image.data);
      for (let at = 0; at < a.length; at += 4) {
        const most = Math.max(Math.abs(a[at] - b[at]), Math.abs(a[at + 1] - b[at + 1]), Math.abs(a[at + 2] - b[at + 2]));
        const differs = most > clearly;
        count += differs ? 1 : 0;
        // What differs is red, all else pale.
        for (let part = 0; part < 3; part += 1) a[at + part] = differs ? (part === 0 ? 255 : 0) : 200 + a[at + part] / 5;
      }
      context.putImageData(pixels[0], 0, 0);
      return { share: count / (a.length / 4), where: canvas.toDataURL("image/png").split(",")[1] };
    },
    { urls: [one, other].map((png) => `data:image/png;base64,${png.toString("base64")}`), clearly: CLEARLY },
  );
  await page.close();
  return found;
}

/** The picture with at most 256 colours, which is a third as large: the browser's own has every shade of every smoothed edge. */
async function small(browser, png) {
  const page = await browser.newPage();
  const { width, height, palette, pixels } = await page.evaluate(async (url) => {
    const picture = await createImageBitmap(await (await fetch(url)).blob());
    const context = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height }).getContext("2d");
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    const pixels = new Uint8Array(data.length / 4);
    // As many shades of each colour as fit.
    for (const step of [17, 25.5, 36.43, 51]) {
      const places = new Map();
      for (let at = 0; at < pixels.length && places.size <= 256; at += 1) {
        const colour = [0, 1, 2].map((part) => Math.round(Math.round(data[at * 4 + part] / step) * step));
        const key = colour.join();
        if (!places.has(key)) places.set(key, { place: places.size, colour });
        pixels[at] = places.get(key).place;
      }
      if (places.size > 256) continue;
      let binary = "";
      for (let at = 0; at < pixels.length; at += 8192) binary += String.fromCharCode(...pixels.subarray(at, at + 8192));
      return { width: picture.width, height: picture.height, palette: [...places.values()].flatMap(({ colour }) => colour), pixels: btoa(binary) };
    }
    throw new Error("six shades of three colours are 216");
  }, `data:image/png;base64,${png.toString("base64")}`);
  await page.close();
  const indices = Buffer.from(pixels, "base64");
  const lines = Buffer.alloc((width + 1) * height);
  for (let line = 0; line < height; line += 1) indices.copy(lines, line * (width + 1) + 1, line * width, (line + 1) * width);
  const chunk = (kind, data) => {
    const body = Buffer.concat([Buffer.from(kind), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("PLTE", Buffer.from(palette)), chunk("IDAT", deflateSync(lines, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

/** Every view in light and dark, held against its picture: what differs too much, in words. */
export async function differences(browser, tell = () => {}) {
  const answers = read(answersPath);
  const found = [];
  for (const view of VIEWS) {
    for (const dark of [false, true]) {
      const name = `${view}${dark ? "-dark" : ""}`;
      const now = await taken(browser, answers, view, dark);
      const { share, where } = await compared(browser, now, readFileSync(join(FOLDER, `${name}.png`)));
      tell(`${name}: ${(share * 100).toFixed(3)} % of the pixels differ clearly`);
      if (share <= TOLERATED) continue;
      const out = join(tmpdir(), "qcast-pictures");
      mkdirSync(out, { recursive: true });
      writeFileSync(join(out, `${name}.png`), now);
      if (where) writeFileSync(join(out, `${name}-where.png`), Buffer.from(where, "base64"));
      found.push(`${name}: ${(share * 100).toFixed(2)} % of the pixels differ clearly, more than ${TOLERATED * 100} %; see ${out}/${name}-where.png`);
    }
  }
  return found;
}

async function bless(browser) {
  const answers = read(answersPath);
  for (const view of VIEWS) {
    for (const dark of [false, true]) {
      const [name, picture] = [`${view}${dark ? "-dark" : ""}.png`, await small(browser, await taken(browser, answers, view, dark))];
      if (picture.length > LARGEST_BYTES) throw new Error(`${name} has ${picture.length} bytes, more than ${LARGEST_BYTES}`);
      writeFileSync(join(FOLDER, name), picture);
      console.log(`${name}: ${picture.length} bytes`);
    }
  }
  writeFileSync(fontsPath, `${JSON.stringify(await fonts(browser), null, 2)}\n`);
}

/** Asks a daemon for what it can say at once, and makes up what it would say only after days. */
async function record() {
  const at = Math.floor(Date.now() / 1000);
  const wide = (nodes) => ({ node_count: nodes, cpus: nodes * 16, tres_req_str: `cpu=${nodes * 16},mem=4G,node=${nodes},billing=${nodes * 16}` });
  const running = Array.from({ length: 8 }, (_, place) =>
    job(place + 1, {
      ...wide(8), job_state: "RUNNING", user_name: "bob", user_id: 1001, nodes: `n[${String(place * 8).padStart(3, "0")}-${String(place * 8 + 7).padStart(3, "0")}]`,
      start_time: at - 5400, end_time: at + 900 * (place + 1), time_limit: 90 + 15 * (place + 1), tres_alloc_str: "cpu=128,mem=4G,node=8,billing=128",
    }),
  );
  const own = [["relax", 1, 60], ["wide-run", 32, 240], ["post", 2, 30], ["sweep", 4, 600]].map(([name, nodes, minutes], place) => job(101 + place, { name, ...wide(nodes), time_limit: minutes }));
  const others = Array.from({ length: 14 }, (_, place) =>
    job(90 + place - (place > 10 ? -100 : 0), { user_name: "dave", user_id: 1003, ...wide([1, 16, 4, 2, 8][place % 5]), time_limit: [30, 120, 480][place % 3] }),
  );
  const daemon = await Daemon.begin([...running, ...own, ...others], { interval: 60 });
  try {
    const question = async (path, user, body) => {
      const answer = await fetch(new URL(path, daemon.url), {
        method: body ? "POST" : "GET", headers: { ...(body ? { "content-type": "application/json" } : {}), ...daemon.headersOf(user) }, body: body && JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      return answer.json();
    };
    const asked = { nodes: 1, limit_seconds: 3600 };
    const answers = {
      health: await question("v1/health", "oscar"),
      own: await question("v1/queue?state=all&limit=100&me=true", "alice"),
      queue: await question("v1/queue?state=all&limit=1000", "oscar"),
      forecast: await question("v1/forecast", "alice", asked),
      "forecast/table": await question("v1/forecast/table", "alice", { nodes: [1], limits_seconds: [3600], every_partition: true }),
      limit: await question("v1/limit", "alice", asked),
      where: await question("v1/where", "alice", asked),
      ...madeUp(at),
    };
    // What depends on who else uses the machine is not worth a change of the file.
    answers.health.forecast_seconds = 0.4;
    answers.health.version = "0.0.0";
    writeFileSync(answersPath, `{\n${Object.entries(answers).map(([name, answer]) => `${JSON.stringify(name)}: ${JSON.stringify(answer)}`).join(",\n")}\n}\n`);
  } finally {
    daemon.end();
  }
}

function madeUp(at) {
  const moment = (unix) => ({ unix, utc: new Date(unix * 1000).toISOString() });
  const figures = (forecasts, p80, error) => ({
    forecasts, jobs: Math.round(forecasts / 3), coverage: { p50: 0.48, p80, p90: 0.9, p95: 0.94 }, range80_median_width_seconds: 3600, median_absolute_error_seconds: error,
    within_10_minutes: 0.61, experts: { forecasts, members: [{ name: "last waits", median_absolute_error_seconds: 1500, mean_absolute_error_seconds: 4000 }] },
    slurm: { median_absolute_error_seconds: 5400, within_10_minutes: 0.2, missing: 0.1, too_late: 0.5, ours_median_absolute_error_seconds: error, ours_within_10_minutes: 0.6 },
  });
  const group = (name, forecasts, p80, error) => ({ name, users: 9, first: figures(forecasts, p80, error), all: figures(forecasts, p80, error) });
  const wait = (day, hour) => {
    const median = Math.round(120 + 7200 * (day < 5 ? 1 : 0.1) * Math.max(0, Math.sin(((hour - 6) / 16) * Math.PI)));
    return day === 6 && hour < 4 ? null : { median_seconds: median, p90_seconds: median * 4 };
  };
  const [days, hours] = [Array.from({ length: 7 }, (_, day) => day), Array.from({ length: 24 }, (_, hour) => hour)];
  return {
    score: {
      overall: group("all", 900, 0.79, 600), by_partition: [group("batch", 700, 0.79, 600), group("gpu", 200, 0.74, 1260)],
      by_class: [group("up to 1 h", 500, 0.81, 240), group("1 to 4 h", 300, 0.78, 1500), group("more than 4 h", 100, 0.71, 6600)], better_for_a_month: [],
    },
    waits: {
      cluster: "made", from: moment(at - 28 * 86_400), to: moment(at), partitions: ["batch", "gpu"], sizes: ["1 node", "2 to 7 nodes"], all: wait(0, 10),
      by_hour: hours.map((hour) => wait(0, hour)), by_weekday: days.map((day) => wait(day, 12)), by_weekday_and_hour: days.map((day) => hours.map((hour) => wait(day, hour))),
    },
    operations: {
      accounts: [{ account: "science", jobs: 14, longest_wait_seconds: 93_600, median_wait_seconds: 7200 }, { account: "letters", jobs: 4, longest_wait_seconds: 3600, median_wait_seconds: 1500 }],
      questions: [
        { route: "/v1/forecast", asked: 812, median_seconds: 0.05, p95_seconds: 0.5 }, { route: "/v1/queue", asked: 4100, median_seconds: 0.005, p95_seconds: 0.05 },
      ],
      slow_requests: [{ route: "/v1/forecast", status: 503, seconds: 2.0, at: moment(at - 600) }],
    },
    "what-if": { policies: ["easy", "easy-sjbf", "conservative", "fcfs"], predictors: ["estimate", "recent:n=2,stat=mean", "perfect"], running: null, last: null },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(FOLDER, { recursive: true });
  if (process.argv.includes("--record")) await record();
  const browser = await begun();
  try {
    if (process.argv.includes("--bless") || process.argv.includes("--record")) await bless(browser);
    else {
      const other = await otherFonts(browser);
      if (other.length > 0) console.log(`NOT COMPARED: fonts are not those of the pictures (${other.join("; ")})`);
      else {
        const found = await differences(browser, console.log);
        for (const one of found) console.error(one);
        process.exitCode = found.length > 0 ? 1 : 0;
      }
    }
  } finally {
    await browser.close();
  }
}
