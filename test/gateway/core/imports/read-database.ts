import { DatabaseSync } from "node:sqlite";
import type { FileRead, Imported, Importer, Places } from "../../../../gateway/core/imports/importer.ts";
import { knownProviders } from "../../../../gateway/services/imports/known-providers.ts";
import { places } from "./read-files.ts";

type Value = string | number | Uint8Array | null;

export type Inserted = Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>;

/**
 * A database as an importer is given it: made by a program's own statements, with some rows.
 * @param sql the program's own `CREATE TABLE`
 * @param expected tables that the importer asks for; of others it learns how many rows they have
 */
export function databaseOf(path: string, sql: string, inserted: Inserted, expected: readonly string[]): FileRead {
  const database = new DatabaseSync(":memory:");
  database.exec(sql);
  for (const [table, rows] of Object.entries(inserted)) {
    for (const row of rows) {
      const columns = Object.keys(row);
      const marks = columns.map(() => "?").join(", ");
      database.prepare(`INSERT INTO "${table}" (${columns.join(", ")}) VALUES (${marks})`).run(...Object.values(row));
    }
  }
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  const rowsOf = (table: string) => database.prepare(`SELECT * FROM "${table}"`).all() as FileRead["tables"][string];
  return {
    path,
    text: "",
    tables: Object.fromEntries(expected.map((table) => [table, names.includes(table) ? rowsOf(table) : []])),
    otherTables: Object.fromEntries(
      names.filter((name) => !expected.includes(name)).map((name) => [name, rowsOf(name).length]),
    ),
  };
}

/** What an importer makes of files, databases among them. */
export function readAll(importer: Importer, files: readonly FileRead[], more: Partial<Places> = {}): Imported | null {
  return importer.read(files, places(more), knownProviders("http://127.0.0.1:6174"));
}
