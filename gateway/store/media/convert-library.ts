import { join, relative } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { randomBase62 } from "../../lib/ids.ts";
import { copyFile } from "../backups/backup.ts";
import { replaceWithJson } from "../disk/atomic-file.ts";
import { getMessage } from "../../lib/message-of.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { Quarantine } from "../quarantine.ts";
import { parseLine } from "./earlier-lines.ts";
import type { EarlierLine, EarlierPoster } from "./earlier-lines.ts";
import { EARLIER_COPY, EARLIER_LOG, readEarlier } from "./earlier-log.ts";
import type { EarlierLibrary, EarlierResult } from "./earlier-log.ts";
import { listFolders } from "./library-folders.ts";
import { describeFile, getPlace } from "./media-adoption.ts";
import type { MediaFiles } from "./media-files.ts";
import type { MediaNotes } from "./media-notes.ts";
import { getShard, getSidecarPath, getStem, readSidecar } from "./sidecar.ts";
import type { Sidecar } from "./sidecar.ts";

/** Says that a library has this layout. */
const LAYOUT_FILE = "library.json";
/** Number of sidecars written together. */
const TOGETHER = 32;
/** Number of results counted per event loop turn. */
const COUNTED = 2_048;
const HASHED = /^([0-9a-f]{64})\.([a-z0-9]{2,5})$/;

/** Whether a file of the library's folder is one that only earlier versions read. */
export const isEarlierFile = (name: string): boolean =>
  /^earlier\.\d+\.(?:copy\.)?ndjson$/.test(name) || name === "index.pages";

export interface ConvertLibraryParts {
  readonly fs: StoreFs;
  /** The library's folder. */
  readonly dir: string;
  readonly files: MediaFiles;
  readonly notes: MediaNotes;
  readonly quarantine: Quarantine;
}

/**
 * Converts a library of an earlier version: files named by hash are renamed to their result's id, and each result gets
 * a sidecar. The log stays until everything is synced, so that the next start resumes after a crash. A current library
 * is unchanged.
 * @returns why results are missing; null if everything is converted
 */
export async function convertLibrary(parts: ConvertLibraryParts): Promise<string | null> {
  const { fs, dir, quarantine } = parts;
  const logs = [EARLIER_LOG, EARLIER_COPY];
  const sizes = await Promise.all([...logs, LAYOUT_FILE].map((name) => fs.size(join(dir, name))));
  const [log, copy, layout] = sizes.map((size) => size !== null);
  if (layout === true && log !== true && copy !== true) return null;
  const earlier = await readEarlier(fs, dir);
  try {
    const conversion = new Conversion(parts, earlier);
    await conversion.run();
    const found = earlier.trouble === null ? NONE : await conversion.adoptFiles();
    await conversion.finish();
    await earlier.close();
    await setLogsAside(parts, earlier, found);
    return null;
  } catch (error) {
    const reason = errorCode(error) || getMessage(error);
    // A new library has nothing to convert.
    if (log !== true && copy !== true && earlier.results.length === 0) return null;
    const message = `The media library could not be brought into the form of this version (${reason}), so not all results are shown and none can be deleted. ${isFull(reason) ? "Make room on the disk" : `Let this user read and write all of ${dir}, on a disk without errors,`} and start Postern again.`;
    quarantine.tell("damaged", message, null, EARLIER_LOG);
    return message;
  } finally {
    await earlier.close();
  }
}

const isFull = (code: string): boolean => code === "ENOSPC" || code === "EDQUOT";

/** Hashed files that no line refers to: recovered results, and unusable ones. */
interface FoundFiles {
  readonly files: number;
  readonly left: number;
}

const NONE: FoundFiles = { files: 0, left: 0 };

/**
 * Renames the logs to names that no version reads. The main log is last: without it and its copy nothing would be
 * retried.
 */
async function setLogsAside(
  { fs, dir, quarantine }: ConvertLibraryParts,
  { trouble, isDamaged, fromCopy }: EarlierLibrary,
  { files, left }: FoundFiles,
): Promise<void> {
  const takenNames = new Set(await fs.list(dir));
  let number = 1;
  while (takenNames.has(`earlier.${number}.ndjson`) || takenNames.has(`earlier.${number}.copy.ndjson`)) number += 1;
  if (takenNames.has(EARLIER_COPY)) {
    await fs.rename(join(dir, EARLIER_COPY), join(dir, `earlier.${number}.copy.ndjson`));
    await fs.syncFolder(dir);
  }
  await replaceWithJson(fs, join(dir, LAYOUT_FILE), { layout: 2 });
  const outcome = [
    ...(fromCopy > 0 ? [`Its second copy still had ${fromCopy} of the results.`] : []),
    ...(files > 0 ? [`Of ${files} results only the files are left: what they came from is not known.`] : []),
    ...(left > 0 ? [`${left} files of the library cannot be shown, and stay where they are.`] : []),
  ];
  const isReported = isDamaged || outcome.length > 0;
  if (outcome.length === 0) outcome.push("Every result is listed all the same.");
  const message = `The list of the media library (media/${EARLIER_LOG}) ${trouble ?? ""}. ${outcome.join(" ")}`;
  if (!takenNames.has(EARLIER_LOG)) {
    if (isReported) quarantine.tell("missing", message, null, EARLIER_LOG);
  } else if (isReported) {
    if (!(await quarantine.move(join("media", EARLIER_LOG), "damaged", message))) throw new Error("its list stays");
  } else {
    await fs.rename(join(dir, EARLIER_LOG), join(dir, `earlier.${number}.ndjson`));
    await fs.syncFolder(dir);
  }
}

interface FileUses {
  left: number;
  isShared: boolean;
}

/** Steps of a conversion, each of which an earlier start may already have done. */
class Conversion {
  readonly #parts: ConvertLibraryParts;
  readonly #earlier: EarlierLibrary;
  /** How many names of this layout each hashed file still has to get. */
  readonly #uses = new Map<string, FileUses>();
  /** Result folders that were created and must still be synced. */
  readonly #folders = new Set<string>();
  #lastPlace = 0;

  constructor(parts: ConvertLibraryParts, earlier: EarlierLibrary) {
    this.#parts = parts;
    this.#earlier = earlier;
  }

  async run(): Promise<void> {
    const { results } = this.#earlier;
    await this.#countUses();
    for (let start = 0; start < results.length; start += TOGETHER) {
      const some = results.slice(start, start + TOGETHER);
      for (const { id } of some) await this.#makeFolder(id);
      // A file that has its name before its sidecar would be a result of unknown origin where the disk refuses the sidecar.
      await Promise.all((await this.#readSidecars(some)).map((sidecar) => this.#put(sidecar)));
      for (const { id, sha256, extension, poster } of some) {
        const stem = getStem(this.#parts.dir, id);
        await this.#move({ sha256, extension }, `${stem}.${extension}`);
        if (poster !== null) await this.#move(poster, `${stem}.poster.${poster.extension}`);
      }
    }
  }

  /** Makes results of hashed files that no line names. */
  async adoptFiles(): Promise<FoundFiles> {
    const { fs, dir } = this.#parts;
    const count = { files: 0, left: 0 };
    for (const shard of (await listFolders(fs, dir)).keys())
      for (const name of await fs.list(join(dir, shard))) {
        const [, sha256 = "", extension = ""] = HASHED.exec(name) ?? [];
        if (!sha256.startsWith(shard) || sha256 === "" || this.#uses.has(name)) continue;
        const id = `media_${sha256.slice(0, 16)}`;
        const sidecar = await describeFile(fs, join(dir, shard, name), id, extension).catch(() => null);
        if (sidecar === null) count.left += 1;
        else {
          count.files += 1;
          await this.#makeFolder(id);
          await this.#put(sidecar);
          await this.#move({ sha256, extension }, this.#parts.files.getPath(sidecar));
        }
      }
    return count;
  }

  /** Writes the remaining work. After that the whole library is on the disk. */
  async finish(): Promise<void> {
    const { notes } = this.#parts;
    await this.#syncFolders();
    for (const pending of this.#earlier.pending) if (!notes.pending.has(pending.id)) await notes.addPending(pending);
    for (const [id, until] of this.#earlier.deleted) if (!notes.deleted.has(id)) await notes.addDeleted([id], until);
  }

  async #readSidecars(some: readonly EarlierResult[]): Promise<readonly Sidecar[]> {
    const lines = new Map<EarlierResult, EarlierLine | null>();
    for (const log of new Set(some.map((result) => result.log))) {
      const own = some.filter((result) => result.log === log);
      const values = await log.readAll(own.map(({ place }) => place));
      for (const [index, result] of own.entries()) lines.set(result, parseLine(values[index]));
    }
    return some.map((result) => {
      const line = lines.get(result);
      if (line?.op !== "add") throw new Error(`the line of ${result.id} cannot be read again`);
      this.#lastPlace = Math.max(getPlace(result.at), this.#lastPlace + 1);
      return { entry: line.entry, extension: line.extension, place: this.#lastPlace };
    });
  }

  async #countUses(): Promise<void> {
    for (const [index, result] of this.#earlier.results.entries()) {
      if (index % COUNTED === 0) await nextTurn();
      for (const { sha256, extension } of getFiles(result)) {
        const name = `${sha256}.${extension}`;
        const known = this.#uses.get(name);
        this.#uses.set(name, { left: (known?.left ?? 0) + 1, isShared: known !== undefined });
      }
    }
  }

  /** Renames a hashed file to a result's name, or copies it if other results need it too. */
  async #move({ sha256, extension }: EarlierPoster, target: string): Promise<void> {
    const { fs, dir } = this.#parts;
    const name = `${sha256}.${extension}`;
    const uses = this.#uses.get(name) ?? { left: 1, isShared: false };
    uses.left -= 1;
    const folder = join(dir, sha256.slice(0, 2));
    const source = join(folder, name);
    const found = await fs.check(target);
    if (found?.kind === "file" || (await fs.check(folder))?.kind !== "folder") return;
    if ((await fs.size(source)) === null) return;
    if (found !== null) await this.#setAside(target);
    if (uses.left === 0) {
      // The copies are on the disk before their source gets another name.
      if (uses.isShared) await this.#syncFolders();
      await fs.rename(source, target);
    } else {
      const aside = join(dir, "incoming", randomBase62(16));
      await copyFile(fs, source, aside, Infinity);
      await fs.rename(aside, target);
    }
  }

  async #put(sidecar: Sidecar): Promise<void> {
    const { fs, dir, files } = this.#parts;
    const { id } = sidecar.entry;
    const found = await readSidecar(fs, dir, id);
    if (typeof found === "object") return;
    if (found !== "missing") await this.#setAside(getSidecarPath(dir, id));
    await files.putSidecar(sidecar);
  }

  async #makeFolder(id: string): Promise<void> {
    const { fs, dir, files } = this.#parts;
    const shard = getShard(id);
    if (this.#folders.has(shard)) return;
    const found = await fs.check(join(dir, shard));
    if (found !== null && found.kind !== "folder") await this.#setAside(join(dir, shard));
    await files.makeFolder(id);
    this.#folders.add(shard);
  }

  /** Moves away an entry that blocks a result's file or folder name, so that all results can be converted. */
  async #setAside(path: string): Promise<void> {
    const { dir, quarantine } = this.#parts;
    const name = relative(join(dir, ".."), path);
    await quarantine.move(name, "misplaced", `What was at ${name} is nothing of the media library.`);
  }

  async #syncFolders(): Promise<void> {
    const { fs, dir } = this.#parts;
    for (const folder of this.#folders) await fs.syncFolder(join(dir, folder));
  }
}

const getFiles = ({ sha256, extension, poster }: EarlierResult): readonly EarlierPoster[] =>
  poster === null ? [{ sha256, extension }] : [{ sha256, extension }, poster];
