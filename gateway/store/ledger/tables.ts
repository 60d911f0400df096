import type { LedgerTable } from "./ledger-table.ts";
import { importedTable } from "./imported.ts";
import { mediaTable } from "./media.ts";
import { receiptsTable } from "./receipts.ts";
import { tasksTable } from "./tasks.ts";

/** The tables of the index. */
export const TABLES: readonly LedgerTable[] = [receiptsTable, tasksTable, mediaTable, importedTable];
