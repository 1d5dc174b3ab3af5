// Whether something on the daemon's board is new, for whoever shows it. One stream for the whole page; a page that nobody looks at has none.
const STREAM = "v1/changes";
/** Where there is no stream (a proxy may hold it back), the page asks this often. */
const POLL_MS = 30_000;
/** However often the board changes, the page asks no more often than this: a user has two questions a second, and a view asks several. */
const LEAST_MS = 4_000;

class Live {
  /** Counts up with every change: read it, and be run again. */
  change = $state(0);
  #stream: EventSource | undefined;
  #poll: ReturnType<typeof setInterval> | undefined;
  #pending: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  /** Listens for as long as the page is looked at. Gives what ends it. */
  begin(): () => void {
    const look = () => {
      if (document.hidden) this.#end();
      else this.#listen();
    };
    document.addEventListener("visibilitychange", look);
    look();
    return () => {
      document.removeEventListener("visibilitychange", look);
      this.#end();
    };
  }

  #listen(): void {
    if (this.#stream) return;
    // What happened while nobody looked. At first every view asks by itself.
    if (this.#asked === 0) this.#asked = Date.now();
    else this.#renew();
    this.#stream = new EventSource(new URL(STREAM, document.baseURI));
    this.#stream.addEventListener("change", () => this.#renew());
    this.#poll = setInterval(() => {
      if (this.#stream?.readyState !== EventSource.OPEN) this.#renew();
    }, POLL_MS);
  }

  #renew(): void {
    if (this.#pending !== undefined) return;
    const wait = Math.max(0, this.#asked + LEAST_MS - Date.now());
    this.#pending = setTimeout(() => {
      this.#pending = undefined;
      this.#asked = Date.now();
      this.change += 1;
    }, wait);
  }

  #end(): void {
    this.#stream?.close();
    this.#stream = undefined;
    clearInterval(this.#poll);
    clearTimeout(this.#pending);
    this.#pending = undefined;
  }
}

export const live = new Live();
