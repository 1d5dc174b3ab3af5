// Times and spans as people read them, on the clock of whoever looks.
const DAY = 86_400;

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

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

/** A time, with as much of the date as is needed seen from now. */
export function shown(unix: number, now: number): string {
  const time = new Date(unix * 1000);
  if (time.toDateString() === new Date(now * 1000).toDateString()) return clock.format(time);
  return Math.abs(unix - now) < 6 * DAY ? weekday.format(time) : date.format(time);
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

/** A change that is in percent already, with its sign. */
export function percentage(value: number): string {
  return `${value > 0 ? "+" : ""}${Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0)}\u00a0%`;
}

/** A share as a percentage. */
export function percent(share: number): string {
  const value = share * 100;
  return `${value < 10 && value > 0 ? value.toFixed(1) : value.toFixed(0)}\u00a0%`;
}
