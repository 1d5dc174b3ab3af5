// The browser of docs/pictures/photograph: goes through the page's views as somebody, waits until each has something to show, and takes it light and
// dark. Told by one argument, JSON, where the daemon is and who looks.
//
// Not for: whether the page works (web/tests/page.test.mjs).
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";

const WEB = join(dirname(fileURLToPath(import.meta.url)), "../../web/package.json");
const { chromium } = createRequire(WEB)("playwright-core");
const { url, secret, owner, other, operator, speed, chromium: executablePath, to } = JSON.parse(process.argv[2]);

const SIZE = { width: 1280, height: 800 };
/** A picture that is larger is not worth its place in the repository. */
const MOST_BYTES = 120_000;
/** A look is over for the page when nobody has looked for ten minutes (web/src/remembered.ts); of the lab's. */
const BETWEEN_LOOKS_MS = (1000 * 900) / speed;

/** The daemon forgets half of what somebody has asked for in this time (crates/daemon/src/api/desk.rs). */
const PATIENCE_MS = 30_000;

/** On a busy machine futures take longer than the daemon gives them, and it makes a person wait who has asked for many. */
async function again(look, most = 4) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await look(attempt);
    } catch (error) {
      if (attempt + 1 === most) throw error;
      await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    }
  }
}

/** Who looks at a view, and what is done on it before it is taken. A view that is not here is taken as it is, as the owner sees it. */
const VIEWS = {
  jobs: {
    async prepare(page) {
      await page.getByText(/starts .*at about/).first().waitFor();
      const [open, shut] = ["Why is it waiting", "Close"].map((name) => page.getByRole("button", { name }).first());
      if (await shut.isVisible()) await shut.click();
      await open.click();
      await page.getByRole("heading", { name: "Changes that would help" }).waitFor();
    },
  },
  submit: {
    who: other,
    async prepare(page, attempt) {
      const nodes = attempt % 2 === 0 ? 5 : 4;
      await page.getByRole("slider", { name: /Nodes/ }).fill(String(nodes));
      // The page goes on showing the last answer until the next is there: each of the three must be to this question.
      const answered = ["forecast", "limit", "where"].map((route) =>
        page.waitForResponse((answer) => answer.url().endsWith(`v1/${route}`) && answer.ok() && answer.request().postData().includes(":43200")),
      );
      await page.getByRole("slider", { name: /Time limit/ }).fill("10");
      await Promise.all(answered);
      await page.getByText("12:00:00 (requested)").waitFor();
    },
  },
  queue: {
    who: operator,
    async prepare(page) {
      await page.locator("canvas").waitFor();
      await page.getByRole("slider", { name: /Hours shown/ }).fill("2");
    },
  },
  quiet: { prepare: (page) => page.getByText(/Shortest waits:/).waitFor() },
  trust: { prepare: (page) => page.locator(".pair svg").first().waitFor() },
  operators: { who: operator, prepare: (page) => page.getByText("Pending jobs").first().waitFor() },
};
/** Further pictures of a view, from further down. */
const MORE = {
  operators: [
    {
      name: "what-if",
      async prepare(page) {
        const title = page.getByRole("heading", { name: /What if/ });
        if ((await title.count()) === 0) return false;
        await page.getByRole("button", { name: "Replay" }).click();
        await page.getByText(/jobs of the last .* processors/).waitFor({ timeout: 300_000 });
        await title.evaluate((heading) => scrollTo(0, heading.getBoundingClientRect().top + scrollY - 16));
      },
    },
  ],
};

/** The pixels of a picture, four bytes each: the browser is the one who can read it. */
async function pixels(bytes) {
  const page = await plain.newPage();
  const text = await page.evaluate(async (encoded) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${encoded}`)).blob());
    const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    let text = "";
    for (let place = 0; place < data.length; place += 8192) text += String.fromCharCode(...data.subarray(place, place + 8192));
    return btoa(text);
  }, bytes.toString("base64"));
  await page.close();
  return Buffer.from(text, "base64");
}

/** The picture with 256 colours, a third of its size. A page has some hundreds; all but the most frequent are shades at the edges of letters. */
async function smaller(bytes) {
  const all = await pixels(bytes);
  const count = new Map();
  for (let place = 0; place < all.length; place += 4) {
    const colour = all.readUIntBE(place, 3);
    count.set(colour, (count.get(colour) ?? 0) + 1);
  }
  const colours = [...count.keys()].sort((one, other) => count.get(other) - count.get(one));
  const palette = colours.slice(0, 256);
  const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
  const apart = (one, other) => parts(one).reduce((sum, part, place) => sum + (part - parts(other)[place]) ** 2, 0);
  const nearest = (colour) => palette.reduce((best, other, place) => (apart(colour, other) < apart(colour, palette[best]) ? place : best), 0);
  const placed = new Map(colours.map((colour, place) => [colour, place < 256 ? place : nearest(colour)]));
  const lines = Buffer.alloc((SIZE.width + 1) * SIZE.height);
  for (let pixel = 0; pixel < SIZE.width * SIZE.height; pixel += 1) {
    // Each line begins with a zero: it is as it is.
    lines[pixel + Math.floor(pixel / SIZE.width) + 1] = placed.get(all.readUIntBE(pixel * 4, 3));
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIZE.width, 0);
  head.writeUInt32BE(SIZE.height, 4);
  head.set([8, 3], 8);
  const chunk = (name, data) => {
    const named = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  return Buffer.concat([
    bytes.subarray(0, 8), chunk("IHDR", head), chunk("PLTE", Buffer.from(palette.flatMap(parts))), chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const plain = await browser.newContext();
const contexts = {};
/** Everybody has a browser of their own, which remembers what was shown before. */
async function opened(who, view) {
  contexts[who] ??= await browser.newContext({
    viewport: SIZE, deviceScaleFactor: 1, timezoneId: "UTC", locale: "en-GB",
    extraHTTPHeaders: { "X-Forwarded-User": who, "X-Queuecast-Proxy-Secret": secret },
  });
  const page = await contexts[who].newPage();
  // At the lab's speed there is something new every few seconds, and a page that asks as often has soon asked too much. Without the stream it asks as often as on a site.
  await page.route("**/v1/changes", (route) => route.abort());
  await page.goto(`${url}#/${view}`);
  await page.locator("main h2").waitFor();
  await page.waitForFunction(() => !document.querySelector("main").innerText.includes("Loading …"), undefined, { timeout: 60_000 });
  return page;
}

const written = [];
/** Takes what is shown, light and dark, with no answer that comes meanwhile between the two. False if something was wrong by then. */
async function take(page, name) {
  await page.route("**/v1/**", () => {});
  try {
    // A pointer or a focus that was left behind is nobody's business.
    await page.mouse.move(0, 0);
    await page.evaluate(() => document.activeElement?.blur());
    await page.waitForTimeout(300);
    if ((await page.locator("main .note, .banner").count()) > 0) return false;
    const taken = [];
    for (const [scheme, ending] of [["light", ""], ["dark", "-dark"]]) {
      await page.emulateMedia({ colorScheme: scheme });
      // What is drawn on a canvas is drawn anew in other colours only when its size changes.
      for (const width of [SIZE.width - 1, SIZE.width]) {
        await page.setViewportSize({ ...SIZE, width });
        await page.waitForTimeout(300);
      }
      taken.push([`page-${name}${ending}.png`, await page.screenshot()]);
    }
    for (const [file, bytes] of taken) {
      const small = await smaller(bytes);
      writeFileSync(join(to, file), small);
      written.push([file, small.length]);
    }
    return true;
  } finally {
    await page.unroute("**/v1/**");
    await page.emulateMedia({ colorScheme: "light" });
  }
}

try {
  // A first look, so that the next one can say what has changed since.
  const first = await opened(owner, "jobs");
  const offered = await first.locator("header nav a").evaluateAll((links) => links.map((link) => link.getAttribute("href").replace("#/", "")));
  await first.waitForTimeout(1000);
  await first.close();
  await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
  for (const view of offered) {
    const { who = owner, prepare = async () => {} } = VIEWS[view] ?? {};
    const page = await opened(who, view);
    try {
      await again(async (attempt) => {
        await prepare(page, attempt);
        if (!(await take(page, view))) throw new Error("the page says that something is wrong");
      });
      for (const more of MORE[view] ?? []) {
        await again(async () => {
          if ((await more.prepare(page)) !== false && !(await take(page, more.name))) throw new Error("the page says that something is wrong");
        });
      }
    } catch (error) {
      // The other pictures are of use all the same.
      console.error(`${view}, as ${who}: ${error.message}\n${await page.locator("body").innerText()}`);
      process.exitCode = 1;
    }
    await page.close();
  }
} finally {
  await browser.close();
}
for (const [file, bytes] of written) {
  console.log(`wrote docs/pictures/${file}, ${Math.ceil(bytes / 1000)} kB`);
  if (bytes > MOST_BYTES) {
    console.error(`${file} is larger than ${MOST_BYTES / 1000} kB`);
    process.exitCode = 1;
  }
}
