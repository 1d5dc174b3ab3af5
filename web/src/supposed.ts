// A job that is supposed: from a link into the sliders, and from the sliders into a line for a shell.
// Not for: job scripts (script.ts).
import type { Wanted } from "./script";

/** Where the sliders stand at such a job. */
export function linkTo(wanted: Wanted): string {
  const { nodes, tasksPerNode, limitSeconds, partition, gpus, name } = wanted;
  const said = Object.entries({ nodes, cpus: tasksPerNode, limit: limitSeconds, partition, gpus, name }).flatMap(([key, value]) => (value ? [[key, String(value)]] : []));
  return `#/submit?${new URLSearchParams(said)}`;
}

/** What such a link asks for. Anybody can write one, so what is no number is left out. */
export function wantedBy(hash: string): Wanted {
  const said = new URLSearchParams(hash.split("?")[1] ?? "");
  const number = (key: string) => (/^\d{1,9}$/.test(said.get(key) ?? "") ? Number(said.get(key)) : undefined);
  const text = (key: string) => said.get(key)?.slice(0, 200) || undefined;
  const found = { nodes: number("nodes"), tasksPerNode: number("cpus"), limitSeconds: number("limit"), gpus: number("gpus"), partition: text("partition"), name: text("name") };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** As a shell takes it for one word, whatever is in it. */
export function quoted(text: string): string {
  return /^[\w.,:@%+=/-]+$/.test(text) ? text : `'${text.replaceAll(/\p{Cc}/gu, " ").replaceAll("'", "'\\''")}'`;
}
