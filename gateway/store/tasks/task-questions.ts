import { messageOf } from "../../lib/message-of.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { IN_MEMORY, openIndex } from "../ledger/index-file.ts";
import { getPlace } from "../ledger/ledger-table.ts";
import type { Query } from "../ledger/ledger-table.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { FindTasks, FoundTask, ListTaskRows, ListedTasks, Questions } from "../ledger/questions.ts";
import { tasksTable } from "../ledger/tasks.ts";
import type { StoreLog } from "../store-event.ts";
import { removeEarlierFiles } from "../usage/earlier-files.ts";
import type { TaskArchive } from "./task-archive.ts";
import type { TaskPlace } from "../../core/tasks/task-entry.ts";

type TaskQuestion = "tasks.list" | "tasks.find";

export interface TaskQuestionsParts {
  readonly archive: TaskArchive;
  readonly ledger: Pick<Ledger, "ask">;
  readonly log: StoreLog;
  readonly fs: StoreFs;
  /** The archive's folder. */
  readonly folder: string;
}

/** The list of archived tasks, which earlier versions kept next to them. */
export const EARLIER_LIST = "index.ndjson";

/** A response, and whether it looks at all tasks. */
interface Responded<T> {
  readonly response: T;
  readonly isWhole: boolean;
}

/** Questions about tasks, to the index or, where that cannot respond, to the files: money hangs on whether a task exists. */
export class TaskQuestions {
  readonly #parts: TaskQuestionsParts;
  #isTidy = false;
  #refused = "";

  constructor(parts: TaskQuestionsParts) {
    this.#parts = parts;
  }

  /** @throws GatewayError where the archive cannot be read */
  async find(question: FindTasks): Promise<readonly FoundTask[]> {
    const { archive } = this.#parts;
    await archive.open();
    if (archive.isEmpty) return [];
    const asked = await this.#ask("tasks.find", question);
    return asked?.isWhole === true ? asked.response : this.#read("tasks.find", question, true);
  }

  /**
   * @param isExact waits for all tasks; otherwise those are missing that the index does not have yet
   * @throws GatewayError with `isExact` where the archive cannot be read
   */
  async list(question: ListTaskRows, isExact: boolean): Promise<Responded<ListedTasks>> {
    const { archive } = this.#parts;
    try {
      await archive.open();
    } catch (error) {
      if (isExact) throw error;
      return { response: await this.#read("tasks.list", question, false), isWhole: false };
    }
    const asked = archive.isEmpty ? null : await this.#ask("tasks.list", question);
    if (asked !== null && (asked.isWhole || !isExact)) return asked;
    return { response: await this.#read("tasks.list", question, !archive.isEmpty), isWhole: true };
  }

  /** @returns null where the index cannot be asked */
  async #ask<N extends TaskQuestion>(
    name: N,
    question: Questions[N]["ask"],
  ): Promise<Responded<Questions[N]["response"]> | null> {
    try {
      const { response, rebuilding } = await this.#parts.ledger.ask(name, question);
      if (rebuilding === null) this.#removeEarlier();
      return { response, isWhole: rebuilding === null };
    } catch (error) {
      const message = `The index of video tasks cannot be asked (${messageOf(error)}); the archive is read instead.`;
      if (message !== this.#refused) this.#parts.log({ event: "store.index_refused", level: "warning", message });
      this.#refused = message;
      return null;
    }
  }

  /**
   * Responds with a table in memory, of the document and the files, which are read some hundred lines at a time.
   * @throws the disk's error
   */
  async #read<N extends TaskQuestion>(
    name: N,
    question: Questions[N]["ask"],
    hasArchive: boolean,
  ): Promise<Questions[N]["response"]> {
    const database = openIndex(IN_MEMORY, tasksTable.schema);
    try {
      const table = tasksTable.open({ database, folder: "", isIndexed: () => true });
      database.exec("BEGIN");
      const add = (value: unknown, file: number, { offset, length }: Omit<TaskPlace, "file">): void => {
        const place = getPlace(file, offset);
        if (place !== null) table.add({ place, length, value });
      };
      if (hasArchive) await this.#parts.archive.scan(add);
      const query = table.queries[name.slice("tasks.".length)] as Query;
      return query(question as never) as Questions[N]["response"];
    } finally {
      database.close();
    }
  }

  /** Once a start, when the index has everything. What cannot be removed stays. */
  #removeEarlier(): void {
    if (this.#isTidy) return;
    this.#isTidy = true;
    const { fs, folder } = this.#parts;
    void removeEarlierFiles(fs, folder, (name) => name === EARLIER_LIST).catch(() => undefined);
  }
}
