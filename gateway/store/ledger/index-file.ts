import { APPS } from "../../contract/apps.ts";
import { closeSync, openSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { getMessage } from "../../lib/message-of.ts";

/** The file in the data folder. It is made of the logs, is in no backup, and may be deleted at any time. */
export const INDEX_FILE = "index.sqlite";

/** "Post", so that the file of another program is known. */
const APPLICATION_ID = 0x506f7374;
/** Goes up when rows are made of the logs in another way: an index of another version is made again. */
const VERSION = 1;

/** KiB of pages in memory: what the tables of a page touch again and again. */
const CACHE_KIB = 2_048;
/** Pages that are written before they are moved into the file, which waits for the disk. */
const PAGES_A_CHECKPOINT = 4_000;

/** The path for a folder that takes no file. */
export const IN_MEMORY = ":memory:";

/**
 * Opens the index. What does not fit is discarded, and what comes back then has no rows.
 * @param schema statements that make its tables: with others it is another index
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

/** @throws Error where the file is no index of this version */
function openFile(path: string, schema: string): DatabaseSync {
  // Apps that get a name later have it in all rows.
  const expected = crc32(`${VERSION}\n${schema}\n${JSON.stringify(APPS)}`) >>> 1;
  // The lock of the data folder uses it too (gateway/store/disk/lock.ts) and handles its absence.
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
  // SQLite would make the file readable for everyone, and gives its journals the mode of the file.
  if (path !== IN_MEMORY) closeSync(openSync(path, "a", 0o600));
  const database = new Database(path, { allowExtension: false });
  try {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA locking_mode = EXCLUSIVE");
    const { user_version: version } = first(database, "PRAGMA user_version");
    const { application_id: application } = first(database, "PRAGMA application_id");
    const { tables } = first(database, "SELECT count(*) AS tables FROM sqlite_schema");
    const isNew = version === 0 && application === 0 && tables === 0;
    if (!isNew && (version !== expected || application !== APPLICATION_ID)) throw new Error("It is no index of ours.");
    // A kill loses nothing, and a power cut what the logs have.
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

/** Endings of the index's file and of what SQLite keeps next to it. */
const ENDINGS = ["", "-wal", "-shm", "-journal"];

export const INDEX_FILES = ENDINGS.map((ending) => INDEX_FILE + ending);

export function removeIndex(path: string): void {
  for (const ending of ENDINGS) rmSync(path + ending, { force: true });
}

/** Whether an error says that the file is not what was written: then it is made again. */
export const isDamage = (error: unknown): boolean => /malformed|not a database/.test(getMessage(error));
