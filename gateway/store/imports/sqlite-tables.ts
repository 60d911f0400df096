import type { DatabaseSync } from "node:sqlite";

/** Rows by table; a missing table has no rows. */
export type TableRows = Readonly<
  Record<string, readonly Readonly<Record<string, string | number | bigint | Uint8Array | null>>[]>
>;

/** Max rows of a table: more than any user configures, and each takes some microseconds. */
const MOST_ROWS = 2_000;
/** Larger values are null: the set-ups of a provider have some kilobytes, and are parsed as JSON. */
const MAX_VALUE_BYTES = 256 * 1024;
/** Max bytes of all rows that are read of a table. */
const MAX_TABLE_BYTES = 16 * 1024 * 1024;

export interface TablesRead {
  readonly tables: TableRows;
  /** Other tables, with their numbers of rows. */
  readonly otherTables: Readonly<Record<string, number>>;
}

/**
 * Reads tables of a SQLite database that no other program uses.
 * @throws Error for any other file
 */
export async function readTables(path: string, tables: readonly string[]): Promise<TablesRead> {
  const database = openDatabase(path);
  try {
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => String(name));
    const rowsOf = (table: string): TableRows[string] => {
      // Generated columns can be of any size in a file of any size: `hidden` is 2 or 3 there.
      const columns = database
        .prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0")
        .all(table)
        .map(({ name }) => quoteName(String(name)))
        .map((name) => `CASE WHEN octet_length(${name}) <= ${MAX_VALUE_BYTES} THEN ${name} END AS ${name}`);
      const statement = database.prepare(`SELECT ${columns.join(", ")} FROM ${quoteName(table)} LIMIT ${MOST_ROWS}`);
      statement.setReadBigInts(true);
      const rows: TableRows[string][number][] = [];
      let bytes = 0;
      for (const row of statement.iterate()) {
        for (const value of Object.values(row)) bytes += measureSize(value);
        if (bytes > MAX_TABLE_BYTES) break;
        rows.push(plainRow(row));
      }
      return rows;
    };
    const countOf = (table: string): number => {
      try {
        return Number(database.prepare(`SELECT count(*) AS rows FROM ${quoteName(table)}`).get()?.["rows"] ?? 0);
      } catch {
        // A virtual table whose module is not available.
        return 0;
      }
    };
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

/**
 * Reads the texts of a query's only column, of a database that no other program uses.
 * @throws Error for any other file, and where the query fits it not
 */
export function readRows(path: string, query: string): readonly string[] {
  const database = openDatabase(path);
  try {
    return database
      .prepare(query)
      .all()
      .map((row) => String(Object.values(row)[0]));
  } finally {
    database.close();
  }
}

function openDatabase(path: string): DatabaseSync {
  // The folder lock has already loaded it (gateway/store/disk/lock.ts) and handles its absence.
  const sqlite = process.getBuiltinModule("node:sqlite");
  const database = new sqlite.DatabaseSync(path, { allowExtension: false, enableForeignKeyConstraints: false });
  // Nothing in the file may do more than hold rows (sqlite.org/security.html, 2026-11-24).
  database.exec("PRAGMA trusted_schema = OFF");
  return database;
}

const measureSize = (value: unknown): number =>
  typeof value === "string" ? value.length : value instanceof Uint8Array ? value.byteLength : 8;

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** SQLite's own, and the shadow tables of its full-text search. */
const isInternal = (name: string): boolean => /^sqlite_|_(data|idx|content|docsize|config)$/.test(name);

function plainRow(row: Record<string, unknown>): TableRows[string][number] {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value,
  ]);
  return Object.fromEntries(entries) as TableRows[string][number];
}
