import type { CountedEntry } from "../../core/history/history-entry.ts";
import type { SummedHours } from "../../core/usage/hour-sums.ts";
import { importedTable } from "../ledger/imported.ts";
import type {
  ImportedView,
  LedgerReader,
  PassedImported,
  PassImported,
  SumImportedHours,
} from "../ledger/questions.ts";
import { TableQuestions } from "../ledger/table-questions.ts";
import type { StoreLog } from "../store-event.ts";
import type { HistoryLog } from "./history-log.ts";

/** Entries per step of a pass; a step takes about a millisecond. */
const PASSED_AT_ONCE = 2_000;

/** Usage imported from agents' logs, each response counted once, by the index over their lines. */
export class ImportedUsage {
  readonly #questions: TableQuestions;

  constructor({
    history,
    ledger,
    log,
  }: {
    history: HistoryLog;
    ledger: Pick<LedgerReader, "ask"> | null;
    log: StoreLog;
  }) {
    this.#questions = new TableQuestions({
      ledger,
      table: importedTable,
      log,
      scan: async (add) => {
        await history.scan(add);
      },
      onWhole: () => history.removeEarlier(),
    });
  }

  async view(): Promise<ImportedView> {
    return (await this.#questions.ask("imported.view", {})).response;
  }

  async sumHours(question: SumImportedHours): Promise<SummedHours> {
    return (await this.#questions.ask("imported.hours", question)).response;
  }

  /** Passes what did not go through Postern, some at a time, the oldest first. */
  async *pass(filter: Omit<PassImported, "after" | "limit">): AsyncGenerator<readonly CountedEntry[]> {
    for (let after: PassedImported["next"] | undefined = null; after !== undefined;) {
      const question = { ...filter, after, limit: PASSED_AT_ONCE };
      const passed: { readonly response: PassedImported } = await this.#questions.ask("imported.pass", question);
      yield passed.response.entries;
      after = passed.response.next ?? undefined;
    }
  }
}
