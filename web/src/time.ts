// Times, spans and amounts as people read them, on the clock of whoever looks.
import type { Instants, Spans } from "./ask";

const DAY = 86_400;

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const weekdayAlone = new Intl.DateTimeFormat(undefined, { weekday: "short" });
const dateAlone = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

const midnight = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });

// The first of January 2024 was a Monday.
const named = (length: "short" | "long") => {
  const format = new Intl.DateTimeFormat(undefined, { weekday: length, timeZone: "UTC" });
  return Array.from({ length: 7 }, (_, place) => format.format(new Date(Date.UTC(2024, 0, 1 + place))));
};
const days = named("long");
/** Days of the week from Monday, short. */
export const weekdays = named("short");

/** A day of the week, counted from Monday. */
export function day(place: number): string {
  return days[place] ?? "";
}

/** The zone of whoever looks. */
export const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Times that are told as seconds from now on. */
export function fromNow(spans: Spans, now: number): Instants {
  const at = (seconds: number) => ({ unix: now + seconds });
  const range = ({ from_seconds, to_seconds }: Spans["range50"]) => ({ from: at(from_seconds), to: at(to_seconds) });
  const { median_seconds, range50, range80, range95 } = spans;
  return { seconds_from_now: median_seconds, median: at(median_seconds), range50: range(range50), range80: range(range80), range95: range(range95) };
}

/** A time, with as much of the date as is needed seen from now. */
export function shown(unix: number, now: number): string {
  const time = new Date(unix * 1000);
  if (time.toDateString() === new Date(now * 1000).toDateString()) return clock.format(time);
  return Math.abs(unix - now) < 6 * DAY ? weekday.format(time) : date.format(time);
}

/** The same in two parts, for a sentence: the day, which is empty for today, and the time of day. */
export function dayAndClock(unix: number, now: number): [string, string] {
  const time = new Date(unix * 1000);
  if (time.toDateString() === new Date(now * 1000).toDateString()) return ["", clock.format(time)];
  return [(Math.abs(unix - now) < 6 * DAY ? weekdayAlone : dateAlone).format(time), clock.format(time)];
}

/** A round time on an axis. */
export interface Tick {
  unix: number;
  text: string;
  isMidnight: boolean;
}

/** What may lie between two of them, in minutes: parts of a day, and days. */
const STEPS = [5, 15, 30, 60, 120, 180, 360, 720, 1440, 2 * 1440, 7 * 1440, 14 * 1440, 28 * 1440];
const MINUTES_A_DAY = 1440;
/** The longest of their texts, with room beside it. */
export const TICK_PIXELS = 80;

/** Round times on an axis that is so many pixels wide, on the clock of whoever looks; at midnight the date. */
export function ticks(from: number, until: number, pixels: number): Tick[] {
  const most = Math.max(1, pixels / TICK_PIXELS);
  const step = STEPS.find((minutes) => (until - from) / 60 / minutes <= most) ?? Math.max(...STEPS);
  const first = new Date(from * 1000);
  // Days differ in length where clocks are put back or forward, so each is begun anew.
  const dayAfter = (days: number) => new Date(first.getFullYear(), first.getMonth(), first.getDate() + days);
  const found: Tick[] = [];
  for (let days = 0; dayAfter(days).getTime() <= until * 1000; days += 1) {
    const begin = dayAfter(days);
    const [year, month, date] = [begin.getFullYear(), begin.getMonth(), begin.getDate()] as const;
    // Counted from a Monday, so that weeks begin with one.
    const place = Date.UTC(year, month, date) / (DAY * 1000) + 3;
    if (step > MINUTES_A_DAY && (place * MINUTES_A_DAY) % step !== 0) continue;
    for (let minute = 0; minute < MINUTES_A_DAY; minute += step) {
      const time = new Date(year, month, date, 0, minute);
      const unix = time.getTime() / 1000;
      // An hour that a day leaves out is told once, as the next.
      if (unix < from || unix > until || unix <= (found.at(-1)?.unix ?? 0)) continue;
      found.push({ unix, text: minute === 0 ? midnight.format(time) : clock.format(time), isMidnight: minute === 0 });
    }
  }
  return found;
}

/** A span in the two largest units that matter. */
export function span(seconds: number): string {
  const all = Math.round(Math.abs(seconds));
  if (all < 60) return `${all} s`;
  const minutes = Math.round(all / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}

/** A span in one unit, for places where there is room for little. */
export function short(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)}s`;
  if (seconds < 3570) return `${Math.round(seconds / 60)}m`;
  return seconds < 171_000 ? `${Math.round(seconds / 3600)}h` : `${Math.round(seconds / DAY)}d`;
}

/** A limit as sbatch takes it. */
export function limit(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  const two = (number: number) => String(number).padStart(2, "0");
  return days > 0 ? `${days}-${two(hours)}:${two(rest)}:00` : `${two(hours)}:${two(rest)}:00`;
}

const counted = new Intl.NumberFormat();

/** How many, its thousands set apart as whoever looks is used to. */
export function amount(count: number): string {
  return counted.format(count);
}

/** A change that is in percent already, with its sign. */
export function percentage(value: number): string {
  return `${value > 0 ? "+" : ""}${Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0)}\u00a0%`;
}

/** A share as a percentage. */
export function percent(share: number): string {
  const value = share * 100;
  return `${value < 10 && value > 0 ? value.toFixed(1) : value.toFixed(0)}\u00a0%`;
}
