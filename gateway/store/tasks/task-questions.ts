import type { StoreFs } from "../disk/store-fs.ts";
import { getPlace } from "../ledger/ledger-table.ts";
import type { LedgerReader, FindTasks, FoundTask, ListTaskRows, ListedTasks } from "../ledger/questions.ts";
import { TableQuestions } from "../ledger/table-questions.ts";
import type { TableResponse } from "../ledger/table-questions.ts";
import { tasksTable } from "../ledger/tasks.ts";
import type { StoreLog } from "../store-event.ts";
import { removeEarlierFiles } from "../usage/earlier-files.ts";
import type { TaskArchive } from "./task-archive.ts";

export interface TaskQuestionsParts {
  readonly archive: TaskArchive;
  readonly ledger: Pick<LedgerReader, "ask">;
  readonly log: StoreLog;
  readonly fs: StoreFs;
  /** The archive's folder. */
  readonly folder: string;
}

/** List of archived tasks that earlier versions stored with them. */
export const EARLIER_LIST = "index.ndjson";

/**
 * Task queries that money depends on, so that responses must be complete. Without an archive the index is not queried.
 */
export class TaskQuestions {
  readonly #archive: TaskArchive;
  readonly #questions: TableQuestions;

  constructor({ archive, ledger, log, fs, folder }: TaskQuestionsParts) {
    this.#archive = archive;
    this.#questions = new TableQuestions({
      ledger,
      table: tasksTable,
      log,
      scan: (add) =>
        archive.scan((value, file, { offset, length }) => {
          const place = getPlace(file, offset);
          if (place !== null) add({ place, length, value });
        }),
      onWhole: () => void removeEarlierFiles(fs, folder, (name) => name === EARLIER_LIST).catch(() => undefined),
    });
  }

  /** @throws GatewayError if the archive cannot be read */
  async find(question: FindTasks): Promise<readonly FoundTask[]> {
    await this.#archive.open();
    return this.#archive.isEmpty ? [] : (await this.#questions.ask("tasks.find", question)).response;
  }

  /**
   * @param isExact waits for all tasks; otherwise those are missing that the index does not have yet
   * @throws GatewayError with `isExact` where the archive cannot be read
   */
  async list(question: ListTaskRows, isExact: boolean): Promise<TableResponse<ListedTasks>> {
    const isOpen = await this.#archive.open().then(
      () => true,
      (error: unknown) => {
        if (isExact) throw error;
        return false;
      },
    );
    if (isOpen && !this.#archive.isEmpty) return this.#questions.ask("tasks.list", question, isExact);
    const response = await this.#questions.read("tasks.list", question, false);
    return { response, isWhole: isOpen, rebuilding: null };
  }
}
