import type { DatabaseSync } from "node:sqlite";

/** By table; one that is missing has no rows. */
export type TableRows = Readonly<
  Record<string, readonly Readonly<Record<string, string | number | bigint | Uint8Array | null>>[]>
>;

const MOST_ROWS = 20_000;

type Sqlite = { readonly DatabaseSync: typeof DatabaseSync };

/**
 * Reads tables of a SQLite database that nobody else uses.
 * @throws Error where it is none, or this Node has no SQLite (before 22.5)
 */
export async function readTables(path: string, tables: readonly string[]): Promise<TableRows> {
  const sqlite = loadSqlite();
  const database = new sqlite.DatabaseSync(path, { allowExtension: false, enableForeignKeyConstraints: false });
  try {
    // Nothing in the file may do more than hold rows (sqlite.org/security.html, 2026-11-24).
    database.exec("PRAGMA trusted_schema = OFF");
    const named = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?");
    return Object.fromEntries(
      tables.map((table) => {
        if (named.get(table) === undefined) return [table, []];
        const rows = database.prepare(`SELECT * FROM "${table.replaceAll('"', '""')}" LIMIT ${MOST_ROWS}`);
        rows.setReadBigInts(true);
        return [table, rows.all().map(plainRow)];
      }),
    );
  } finally {
    database.close();
  }
}

function plainRow(row: Record<string, unknown>): TableRows[string][number] {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value,
  ]);
  return Object.fromEntries(entries) as TableRows[string][number];
}

/** Loaded with its first use: starts do without it. */
function loadSqlite(): Sqlite {
  const { emitWarning } = process;
  // Its warning that SQLite is experimental in some Nodes is nothing that users could act on.
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
