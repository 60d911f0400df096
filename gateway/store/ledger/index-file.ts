import { APPS } from "../../contract/apps.ts";
import { closeSync, openSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { getMessage } from "../../lib/message-of.ts";

/** The file in the data folder. It is made of the logs, is in no backup, and may be deleted at any time. */
export const INDEX_FILE = "index.sqlite";

/** "Post", so that the file of another program is known. */
const APPLICATION_ID = 0x506f7374;
/** Incremented when rows are derived differently: an index of another version is rebuilt. */
const VERSION = 1;

/** KiB of cached pages: the tables that a page reads repeatedly. */
const CACHE_KIB = 2_048;
/** Pages that are written before they are moved into the file, which waits for the disk. */
const PAGES_A_CHECKPOINT = 4_000;

/** The path for a folder that takes no file. */
export const IN_MEMORY = ":memory:";

/**
 * Opens the index. An incompatible file is discarded and replaced by an empty one.
 * @param schema statements that create its tables, which are part of its version
 */
export function openIndex(path: string, schema: string): DatabaseSync {
  try {
    return openFile(path, schema);
  } catch (error) {
    if (path === IN_MEMORY) throw error;
    removeIndex(path);
    return openFile(path, schema);
  }
}

/** @throws Error if the file is not an index of this version */
function openFile(path: string, schema: string): DatabaseSync {
  // Apps that get a name later have it in all rows.
  const expected = crc32(`${VERSION}\n${schema}\n${JSON.stringify(APPS)}`) >>> 1;
  // The lock of the data folder uses it too (gateway/store/disk/lock.ts) and handles its absence.
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
  // SQLite would create a world-readable file, and gives its journals the file's mode.
  if (path !== IN_MEMORY) closeSync(openSync(path, "a", 0o600));
  const database = new Database(path, { allowExtension: false });
  try {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA locking_mode = EXCLUSIVE");
    const { user_version: version } = first(database, "PRAGMA user_version");
    const { application_id: application } = first(database, "PRAGMA application_id");
    const { tables } = first(database, "SELECT count(*) AS tables FROM sqlite_schema");
    const isNew = version === 0 && application === 0 && tables === 0;
    if (!isNew && (version !== expected || application !== APPLICATION_ID)) throw new Error("It is no index of ours.");
    // A kill loses nothing; a power cut only loses what the logs still have.
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KIB}`);
    database.exec(`PRAGMA wal_autocheckpoint = ${PAGES_A_CHECKPOINT}`);
    if (isNew) database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${expected}`);
    database.exec(schema);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const first = (database: DatabaseSync, sql: string): Record<string, unknown> => database.prepare(sql).get() ?? {};

/** Suffixes of the index file and SQLite's companion files. */
const ENDINGS = ["", "-wal", "-shm", "-journal"];

export const INDEX_FILES = ENDINGS.map((ending) => INDEX_FILE + ending);

export function removeIndex(path: string): void {
  for (const ending of ENDINGS) rmSync(path + ending, { force: true });
}

/** Tells whether an error means a corrupt file, which is then rebuilt. */
export const isDamage = (error: unknown): boolean => /malformed|not a database/.test(getMessage(error));
