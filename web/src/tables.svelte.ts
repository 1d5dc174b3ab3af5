// What would be said of a job with each number of nodes and each limit, kept by choice of partition and GPUs: a slider that moves is told from here, without
// asking. Once a choice is told, so are those beside it: all numbers of GPUs in its partition, and all partitions with its GPUs.
//
// Not for: what is said of one job once the sliders rest (views/Submit.svelte).
import { ask, type Schemas } from "./ask";

/** What is chosen besides nodes and time. */
export interface Choice {
  partition?: string;
  gpus?: number;
  /** What the job is called: how long such jobs of the asker's ran says when it ends. */
  name?: string;
  tasks_per_node?: number;
  cpus_per_task?: number;
}

interface Table {
  now: number;
  /** As of which change of the daemon's board. */
  change: number;
  rows: Map<number, Schemas["TableRowResponse"]>;
}

/** As far as it matters here. */
interface TableRequest {
  job: Choice;
}

/** What a table says of one job: seconds count from `now`. */
export interface Cell extends Pick<Schemas["TableCellResponse"], "start" | "completion" | "no_forecast"> {
  now: number;
}

/** What each table is of; what a row does not say again comes from the question. */
const key = ({ partition, gpus }: { partition?: string | null; gpus?: number | null }, { name, tasks_per_node, cpus_per_task }: Choice) =>
  JSON.stringify([gpus ?? 0, partition ?? "", name, tasks_per_node, cpus_per_task]);

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
    const table = this.#tables.get(key(choice, choice));
    const row = table?.rows.get(nodes);
    const said = row?.no_forecast ? row : row?.cells.find((cell) => cell.limit_seconds === limitSeconds);
    return table && said && { now: table.now, ...said };
  }

  /** Asks for what is not known yet of this choice, and then of those beside it. The signal ends the first only: what is beside it may be chosen next. */
  async ask(choice: Choice, change: number, signal: AbortSignal): Promise<void> {
    const { gpus: _, ...here } = choice;
    const { partition: __, ...withThese } = choice;
    const beside = [
      { name: `gpus ${key(here, here)}`, question: { job: here, ...this.#sizes, gpus: this.#gpus } },
      { name: `partitions ${key(withThese, withThese)}`, question: { job: withThese, ...this.#sizes, every_partition: true } },
    ];
    const isOnItsWay = beside.some(({ name }) => this.#underway.has(name));
    if (this.#tables.get(key(choice, choice))?.change !== change && !isOnItsWay) await this.#take({ job: choice, ...this.#sizes }, change, signal);
    for (const { name, question } of beside) {
      if (signal.aborted) return;
      await this.#askBeside(name, question, change);
    }
  }

  async #askBeside(name: string, question: TableRequest, change: number): Promise<void> {
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

  async #take(question: TableRequest, change: number, signal?: AbortSignal): Promise<boolean> {
    const { answer } = await ask<Schemas["TableResponse"]>("v1/forecast/table", question, signal);
    if (!answer) return false;
    const found = new Map<string, Table>();
    for (const row of answer.rows) {
      const at = key(row, question.job);
      const table = found.get(at) ?? { now: answer.now.unix, change, rows: new Map() };
      found.set(at, table);
      table.rows.set(row.nodes, row);
    }
    this.#tables = new Map([...this.#tables, ...found]);
    const named = answer.rows.flatMap((row) => row.partition ?? []);
    this.#partitions = [...new Set([...this.#partitions, ...named])].sort();
    return true;
  }
}
