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
export function lastLook(cluster: string, at: number, medians: Map<string, number>): Look | null {
  const kept = read();
  const isSameLook = kept.now !== null && kept.now.cluster === cluster && at - kept.now.at < LOOK_SECONDS;
  const before = isSameLook ? kept.before : kept.now;
  const now: Look = { cluster, at, medians: Object.fromEntries([...medians].slice(0, MOST)) };
  try {
    localStorage.setItem(KEY, JSON.stringify({ before, now }));
  } catch {
    // The next look has nothing to compare with.
  }
  return before?.cluster === cluster ? before : null;
}
