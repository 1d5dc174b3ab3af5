// What was said of my jobs when I last looked, kept by this browser and by nobody else.
const KEY = "queuecast.last-look";
/** A look is over when nobody has looked for this long; until then nothing is "since". */
const LOOK_SECONDS = 600;
/** So many jobs are remembered at most. */
const MOST = 2_000;

interface Look {
  cluster: string;
  at: number;
  medians: Record<string, number>;
}

interface Kept {
  before: Look | null;
  now: Look | null;
}

/** The look before this one. */
export interface Before {
  at: number;
  medians: Record<string, number>;
  /** What was submitted, whichever of its tasks waited then. */
  submissions: Set<string>;
}

/** What of an id stays while tasks of an array start one after the other: `123` of `123_[4-9]`, which is `123_[5-9]` later, and of `123_4`. */
export function submissionOf(id: string): string {
  return id.replace(/_.*/, "");
}

function read(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (typeof kept === "object" && kept !== null && "before" in kept && "now" in kept) return kept as Kept;
  } catch {
    // Not ours, or this browser keeps nothing: then nothing is remembered.
  }
  return { before: null, now: null };
}

/** The look before this one, if it was at this cluster; and keeps this one. */
export function lastLook(cluster: string, at: number, medians: Map<string, number>): Before | null {
  const kept = read();
  const isSameLook = kept.now !== null && kept.now.cluster === cluster && at - kept.now.at < LOOK_SECONDS;
  const before = isSameLook ? kept.before : kept.now;
  const now: Look = { cluster, at, medians: Object.fromEntries([...medians].slice(0, MOST)) };
  try {
    localStorage.setItem(KEY, JSON.stringify({ before, now }));
  } catch {
    // The next look has nothing to compare with.
  }
  if (before?.cluster !== cluster) return null;
  return { at: before.at, medians: before.medians, submissions: new Set(Object.keys(before.medians).map(submissionOf)) };
}
