// What would be said of a job with each number of nodes and each limit, kept by choice of partition and GPUs: a slider that moves is told from here, without
// asking. Once a choice is told, so are those beside it: all numbers of GPUs in its partition, and all partitions with its GPUs.
//
// Not for: what is said of one job once the sliders rest (views/Submit.svelte).
import { ask, type Schemas } from "./ask";

/** What is chosen besides nodes and time. */
export interface Choice {
  partition?: string;
  gpus?: number;
}

interface Table {
  now: number;
  /** As of which change of the daemon's board. */
  change: number;
  rows: Map<number, Schemas["TableRowAnswer"]>;
}

/** What a table says of one job: seconds count from `now`. */
export interface Cell extends Pick<Schemas["TableCellAnswer"], "start" | "completion" | "no_estimate"> {
  now: number;
}

const key = ({ partition, gpus }: { partition?: string | null; gpus?: number | null }) => `${gpus ?? 0} ${partition ?? ""}`;

export class Tables {
  #tables: Map<string, Table> = $state.raw(new Map());
  #partitions: string[] = $state.raw([]);
  /** Choices beside another that are asked for now, by name; and as of which change they were answered last. */
  #underway = new Map<string, Promise<void>>();
  #answered = new Map<string, number>();
  readonly #sizes: { nodes: number[]; limits_seconds: number[] };
  readonly #gpus: number[];

  constructor(nodes: number[], limitsSeconds: number[], gpus: number[]) {
    this.#sizes = { nodes, limits_seconds: limitsSeconds };
    this.#gpus = gpus;
  }

  /** The partitions that take jobs, as far as they are known. */
  get partitions(): string[] {
    return this.#partitions;
  }

  /** What is said of a job; nothing if that is not known yet. */
  cell(choice: Choice, nodes: number, limitSeconds: number): Cell | undefined {
    const table = this.#tables.get(key(choice));
    const row = table?.rows.get(nodes);
    const said = row?.no_estimate ? row : row?.cells.find((cell) => cell.limit_seconds === limitSeconds);
    return table && said && { now: table.now, ...said };
  }

  /** Asks for what is not known yet of this choice, and then of those beside it. The signal ends the first only: what is beside it may be chosen next. */
  async ask(choice: Choice, change: number, signal: AbortSignal): Promise<void> {
    const { partition, gpus } = choice;
    const here = partition === undefined ? {} : { partition };
    const withThese = gpus === undefined ? {} : { gpus };
    const beside = [
      { name: `gpus ${key(here)}`, question: { job: here, ...this.#sizes, gpus: this.#gpus } },
      { name: `partitions ${key(withThese)}`, question: { job: withThese, ...this.#sizes, every_partition: true } },
    ];
    const isOnItsWay = beside.some(({ name }) => this.#underway.has(name));
    if (this.#tables.get(key(choice))?.change !== change && !isOnItsWay) await this.#take({ job: choice, ...this.#sizes }, change, signal);
    for (const { name, question } of beside) {
      if (signal.aborted) return;
      await this.#askBeside(name, question, change);
    }
  }

  async #askBeside(name: string, question: object, change: number): Promise<void> {
    if (this.#answered.get(name) === change) return;
    const underway = this.#underway.get(name);
    if (underway) return underway;
    const asked = this.#take(question, change).then((isAnswered) => {
      if (isAnswered) this.#answered.set(name, change);
    });
    this.#underway.set(name, asked);
    try {
      await asked;
    } finally {
      this.#underway.delete(name);
    }
  }

  async #take(question: object, change: number, signal?: AbortSignal): Promise<boolean> {
    const { answer } = await ask<Schemas["TableAnswer"]>("v1/forecast/table", question, signal);
    if (!answer) return false;
    const found = new Map<string, Table>();
    for (const row of answer.rows) {
      const table = found.get(key(row)) ?? { now: answer.now.unix, change, rows: new Map() };
      found.set(key(row), table);
      table.rows.set(row.nodes, row);
    }
    this.#tables = new Map([...this.#tables, ...found]);
    const named = answer.rows.flatMap((row) => row.partition ?? []);
    this.#partitions = [...new Set([...this.#partitions, ...named])].sort();
    return true;
  }
}
