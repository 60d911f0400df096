/** By table; one that is missing has no rows. */
export type TableRows = Readonly<
  Record<string, readonly Readonly<Record<string, string | number | bigint | Uint8Array | null>>[]>
>;

const MOST_ROWS = 20_000;

export interface TablesRead {
  readonly tables: TableRows;
  /** Those that were not asked for, and how many rows each has. */
  readonly otherTables: Readonly<Record<string, number>>;
}

/**
 * Reads tables of a SQLite database that no one else uses.
 * @throws Error where it is none
 */
export async function readTables(path: string, tables: readonly string[]): Promise<TablesRead> {
  // The folder's lock has loaded it already (gateway/store/disk/lock.ts), which also says what to do where there is none.
  const sqlite = process.getBuiltinModule("node:sqlite");
  const database = new sqlite.DatabaseSync(path, { allowExtension: false, enableForeignKeyConstraints: false });
  try {
    // Nothing in the file may do more than hold rows (sqlite.org/security.html, 2026-11-24).
    database.exec("PRAGMA trusted_schema = OFF");
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => String(name));
    const rowsOf = (table: string): TableRows[string] => {
      const rows = database.prepare(`SELECT * FROM ${quoted(table)} LIMIT ${MOST_ROWS}`);
      rows.setReadBigInts(true);
      return rows.all().map(plainRow);
    };
    const countOf = (table: string): number =>
      Number(database.prepare(`SELECT count(*) AS rows FROM ${quoted(table)}`).get()?.["rows"] ?? 0);
    return {
      tables: Object.fromEntries(tables.map((table) => [table, names.includes(table) ? rowsOf(table) : []])),
      otherTables: Object.fromEntries(
        names.filter((name) => !tables.includes(name) && !isInternal(name)).map((name) => [name, countOf(name)]),
      ),
    };
  } finally {
    database.close();
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** SQLite's own, and the shadow tables of its full-text search. */
const isInternal = (name: string): boolean => /^sqlite_|_(data|idx|content|docsize|config)$/.test(name);

function plainRow(row: Record<string, unknown>): TableRows[string][number] {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value,
  ]);
  return Object.fromEntries(entries) as TableRows[string][number];
}
