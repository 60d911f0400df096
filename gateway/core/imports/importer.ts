import type { ImportedField, ImporterId } from "../../contract/imports.ts";
import type { Setup } from "../../contract/setup.ts";
import type { Known } from "./known.ts";

/** The locations of programs' files on this machine. Paths are absolute. */
export interface Places {
  readonly home: string;
  readonly platform: "linux" | "darwin" | "win32";
  /** Environment of Postern's process: for variables that set file locations, or that files refer to. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder given by the user; null: the usual places. */
  readonly folder: string | null;
}

/**
 * A file to be read. SQLite databases are read as the tables that are named, by a copy with its WAL; a table that is
 * missing has no rows.
 */
export interface RequestedFile {
  readonly path: string;
  /** Table names, for a SQLite database. */
  readonly tables?: readonly string[];
}

/** Path of pasted content: a link, or the text of a file. It is then the only file. */
export const PASTED = "(pasted)";

export type Row = Readonly<Record<string, string | number | bigint | Uint8Array | null>>;

/** A wanted file that is there. `text` is "" of a database, `tables` and `otherTables` are empty of other files. */
export interface FileRead {
  readonly path: string;
  readonly text: string;
  /** Parsed JSON or YAML; undefined for other files. */
  readonly data?: unknown;
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  /** Other tables of the database, with their numbers of rows: they are reported as left. */
  readonly otherTables: Readonly<Record<string, number>>;
}

/**
 * A program's set-up as a set-up of Postern. If a name is taken, the service chooses another (`name 2`) and updates
 * references; existing records are never changed, except that a connection to the same address gets more keys.
 */
export interface Imported {
  /** Without `settings` that could weaken this Postern, and without `${…}`: values are literal. */
  readonly setup: Setup;
  /** Every field that was found, in the order of the files: nothing is dropped in silence. */
  readonly fields: readonly ImportedField[];
}

/** Importer of one program's set-up. Pure: it declares which files it reads, and converts their content. */
export interface Importer {
  readonly id: ImporterId;
  /** The program's own name. */
  readonly label: string;
  /** Returns files in order of preference if one replaces the other. Missing ones are omitted from `read`. */
  files(places: Places): readonly RequestedFile[];
  /** Returns the files that the files just read include; called again until there are no new ones. */
  more?(files: readonly FileRead[], places: Places): readonly RequestedFile[];
  /**
   * @param files existing files of `files` and `more` in order, at least one; or the pasted text (`PASTED`)
   * @param known known providers
   * @returns null if they contain no set-up of this program
   * @throws GatewayError for a too large set-up. Unreadable parts are fields left as `unreadable`
   */
  read(files: readonly FileRead[], places: Places, known: Known): Imported | null;
}
