import { getMessage } from "../../lib/message-of.ts";
import type { StoreLog } from "../store-event.ts";
import { IN_MEMORY, openIndex } from "./index-file.ts";
import type { LedgerTable, Line, Query } from "./ledger-table.ts";
import type { LedgerReader, Questions } from "./questions.ts";

export interface TableQuestionsParts {
  /** Null: the files are read for each question. */
  readonly ledger: Pick<LedgerReader, "ask"> | null;
  readonly table: LedgerTable;
  readonly log: StoreLog;
  /** Reads every line of the files, the older ones first. @throws the disk's error */
  readonly scan: (add: (line: Line) => void) => Promise<void>;
  /** Called once, when the index has responded with complete data. */
  readonly onWhole: () => void;
}

/** A response, and whether all that was written is in it. */
export interface TableResponse<T> {
  readonly response: T;
  readonly isWhole: boolean;
  /** How far the index is rebuilt, in percent; null where the response has everything. */
  readonly rebuilding: number | null;
}

/** Queries to a table of the index whose responses must be complete: if it is not, the files are read. */
export class TableQuestions {
  readonly #parts: TableQuestionsParts;
  #isKnownWhole = false;
  #refused = "";

  constructor(parts: TableQuestionsParts) {
    this.#parts = parts;
  }

  /** @param isExact false: the response may lack what is not indexed yet @throws the disk's error */
  async ask<N extends keyof Questions>(
    name: N,
    question: Questions[N]["ask"],
    isExact = true,
  ): Promise<TableResponse<Questions[N]["response"]>> {
    const { ledger, onWhole } = this.#parts;
    if (ledger === null) return { response: await this.read(name, question), isWhole: true, rebuilding: null };
    try {
      const { response, rebuilding } = await ledger.ask(name, question);
      const isWhole = rebuilding === null;
      if (isWhole && !this.#isKnownWhole) onWhole();
      this.#isKnownWhole ||= isWhole;
      if (isWhole || !isExact) return { response, isWhole, rebuilding };
    } catch (error) {
      const message = `The index cannot be asked for ${name} (${getMessage(error)}); the files are read instead.`;
      if (message !== this.#refused) this.#parts.log({ event: "store.index_refused", level: "warning", message });
      this.#refused = message;
    }
    return { response: await this.read(name, question), isWhole: true, rebuilding: null };
  }

  /** Responds with a table in memory. @param hasFiles whether there are files to read for it @throws the disk's error */
  async read<N extends keyof Questions>(
    name: N,
    question: Questions[N]["ask"],
    hasFiles = true,
  ): Promise<Questions[N]["response"]> {
    const { table, scan } = this.#parts;
    const database = openIndex(IN_MEMORY, table.schema);
    try {
      const open = table.open({ database, folder: "", isIndexed: () => true });
      database.exec("BEGIN");
      if (hasFiles) await scan((line) => open.add(line));
      open.flush();
      const query = open.queries[name.slice(table.name.length + 1)] as Query;
      return query(question as never) as Questions[N]["response"];
    } finally {
      database.close();
    }
  }
}
