// Questions to the daemon that has served this page. Addresses are relative to the page: behind a proxy it may stand under any prefix.
import type { components, paths } from "./answers";

export type Schemas = components["schemas"];
export type Forecast = Schemas["ForecastResponse"];
export type Times = Schemas["TimesResponse"];
export type Spans = Schemas["SpansResponse"];
/** What is drawn of times. */
export interface Instants {
  seconds_from_now: number;
  median: Instant;
  range50: InstantRange;
  range80: InstantRange;
  range95: InstantRange;
}
type Instant = Pick<Schemas["Moment"], "unix">;
interface InstantRange {
  from: Instant;
  to: Instant;
}
export type Health = Schemas["HealthResponse"];
export type Why = Schemas["WhyResponse"];

/** Why there is no answer, in words that can be shown. */
export interface Problem {
  status: number;
  code: string;
  message: string;
  whatToDo: string;
}

export type Answered<T> = { answer: T; problem?: undefined } | { answer?: undefined; problem: Problem };

/** What can be asked, by the daemon's own description and relative to the page: a path that there is none of does not compile. */
type Route<P = keyof paths> = P extends `/${infer Rest}` ? Rest : never;
export type Path = Route | `${Route}?${string}` | `v1/jobs/${string}/why`;

/** A daemon that takes longer is away. Futures may be played for an answer, which takes a while. */
const DEADLINE_MS = 25_000;

/** Asks; with a question, which is sent as JSON. What goes wrong is an answer too. */
export async function ask<T>(path: Path, question?: unknown, signal?: AbortSignal): Promise<Answered<T>> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const until = signal ? AbortSignal.any([signal, deadline]) : deadline;
  try {
    const response = await fetch(new URL(path, document.baseURI), {
      method: question === undefined ? "GET" : "POST",
      headers: question === undefined ? {} : { "content-type": "application/json" },
      body: question === undefined ? undefined : JSON.stringify(question),
      credentials: "same-origin",
      cache: "no-store",
      signal: until,
    });
    const body: unknown = await response.json().catch(() => undefined);
    // The health of a daemon that is not well is an answer, whatever its status.
    if (response.ok || (path === "v1/health" && isHealth(body))) return { answer: body as T };
    return { problem: problemOf(response.status, body) };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { problem: { status: 0, code: "away", message: "", whatToDo: "" } };
  }
}

/** When a daemon that has no time just now is asked again. */
const AGAIN_MS = [3_000, 6_000, 12_000];

/** Asks, and asks again for as long as the daemon has no time; every answer is handed on. Ends with the signal. */
export async function askPatiently<T>(path: Path, question: unknown, signal: AbortSignal, heard: (asked: Answered<T>) => void): Promise<void> {
  for (const wait of [...AGAIN_MS, undefined]) {
    const asked = await ask<T>(path, question, signal);
    heard(asked);
    const isBusy = asked.problem?.status === 429 || asked.problem?.status === 503;
    if (!isBusy || wait === undefined) return;
    await pause(wait, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(over);
      reject(signal.reason);
    }, { once: true });
  });
}

function isHealth(body: unknown): boolean {
  return typeof body === "object" && body !== null && "status" in body && "reasons" in body;
}

function problemOf(status: number, body: unknown): Problem {
  const error = (body as Schemas["ProblemResponse"] | undefined)?.error;
  return {
    status,
    code: error?.code ?? "unknown",
    message: error?.message ?? "",
    whatToDo: error?.hint ?? "",
  };
}

/** All jobs that wait or run: the asker's own, or all that they may see. Many pages take a while, so the first can be shown before the others are there.
 * Nothing if the asker has gone on. */
export async function jobs(whose: "own" | "all", perPage: number, signal: AbortSignal, onFirstPage: (jobs: Forecast[]) => void): Promise<Answered<Forecast[]> | undefined> {
  const found: Forecast[] = [];
  let after: number | null | undefined;
  try {
    do {
      const [own, place]: string[] = [whose === "own" ? "&me=true" : "", after == null ? "" : `&after=${after}`];
      const page: Answered<Schemas["QueueResponse"]> = await ask(`v1/queue?state=all&limit=${perPage}${own}${place}`, undefined, signal);
      if (page.problem) return page;
      found.push(...page.answer.jobs);
      if (after == null) onFirstPage([...found]);
      after = page.answer.next_after;
    } while (after != null);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
  return { answer: found };
}

/** What holds one job. */
export function whyOf(id: string): Path {
  return `v1/jobs/${encodeURIComponent(id)}/why`;
}
