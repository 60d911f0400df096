import { dirname, join } from "node:path";
import type { Place } from "../../core/clients/place.ts";
import { createRefusal } from "../../core/clients/refused.ts";
import { GatewayError } from "../../core/errors.ts";
import { sha256 } from "../../lib/ids.ts";
import { replaceFile } from "../disk/atomic-file.ts";
import { nodeClientFs } from "./client-fs.ts";
import type { ClientFs, FileFacts } from "./client-fs.ts";
import { errorCode, nodeStoreFs } from "../disk/store-fs.ts";

/** A client's file as it was found. */
export interface FoundFile {
  /** Null when there is no file. */
  readonly bytes: Buffer | null;
  /** SHA-256 of the bytes; null when there is no file. */
  readonly digest: string | null;
  /** Path of the written file: the target of a link, else the path itself. */
  readonly target: string;
  readonly facts: FileFacts | null;
}

const MAX_BYTES = 5 * 1024 * 1024;
/** Suffix of the new file until it replaces the old one; fixed, and unlikely to collide. */
const ASIDE = ".postern-unfinished";
/** A lock of another program that was not renewed for so long is left over. */
const STALE_LOCK_MS = 60_000;

/**
 * Accesses the configuration files of other programs. A file is replaced atomically, keeps its mode and owner, and is
 * not written if it has changed since the user saw the preview. Errors are sentences for the user.
 */
export class ClientFiles {
  readonly #backups: string;
  readonly #fs: ClientFs;

  constructor(dataDir: string, fs: ClientFs = nodeClientFs) {
    this.#backups = join(dataDir, "clients");
    this.#fs = fs;
  }

  /** @throws GatewayError if it is not a readable regular file of limited size. */
  async read(path: string): Promise<FoundFile> {
    const named = await this.#facts(path);
    if (named === null) return { bytes: null, digest: null, target: path, facts: null };
    const target = named.kind === "link" ? await this.#follow(path) : path;
    const facts = named.kind === "link" ? await this.#facts(target) : named;
    if (facts === null || facts.kind !== "file")
      throw createRefusal(`${path} is not a regular file. Postern leaves it as it is.`);
    if (facts.bytes > MAX_BYTES)
      throw createRefusal(`${path} has more than 5 MB. Postern does not edit files of that size.`);
    try {
      const bytes = await this.#fs.read(target);
      return { bytes, digest: sha256(bytes), target, facts };
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  /** Reads neighbouring files with the same suffix; unreadable ones are skipped. */
  async readSiblings(
    path: string,
    suffix: string,
  ): Promise<readonly { readonly name: string; readonly bytes: Buffer }[]> {
    const folder = dirname(path);
    const names = await this.#fs.list(folder).catch(() => []);
    const found = names
      .filter((name) => name.endsWith(suffix))
      .map(async (name) => {
        const { bytes } = await this.read(join(folder, name)).catch(() => ({ bytes: null }));
        return bytes === null ? [] : [{ name: name.slice(0, -suffix.length), bytes }];
      });
    return (await Promise.all(found)).flat();
  }

  /** Whether the folder that a client keeps its file in is there: the client was used on this machine. */
  async folderThere(place: Place): Promise<boolean> {
    const folder = dirname(place.path);
    return folder !== place.base && (await this.#facts(folder)) !== null;
  }

  /** @throws GatewayError when the file, or its folder, could not be written now. Nothing is changed. */
  async requireWritable(place: Place, found: FoundFile): Promise<void> {
    const { facts, target } = found;
    if (facts !== null) {
      if ((facts.mode & 0o222) === 0)
        throw createRefusal(`${target} is read-only. Allow writing to it, and try again.`);
      await this.#access(target);
    }
    const base = await this.#facts(place.base).then((found) =>
      found?.kind === "link" ? this.#fs.target(place.base).then((at) => this.#facts(at)) : found,
    );
    if (base === null) throw createRefusal(`The folder ${place.base} is not there. Make it, and try again.`);
    if (base.kind !== "folder") throw createRefusal(`${place.base} is not a folder.`);
    const folder = await this.#nearestFolder(place, target);
    const around = await this.#facts(folder);
    if (around !== null && around.kind === "folder" && (around.mode & 0o222) === 0)
      throw createRefusal(`The folder ${folder} is read-only. Allow writing to it, and try again.`);
    await this.#access(folder);
  }

  /**
   * Replaces the found content by `bytes`.
   * @returns the created folders, outermost first
   * @throws GatewayError if the file has changed, is locked, or the disk refuses; it is then unchanged
   */
  async write(place: Place, found: FoundFile, bytes: Uint8Array): Promise<readonly string[]> {
    await this.requireWritable(place, found);
    const made: string[] = [];
    try {
      for (const folder of await this.#missingFolders(found.target)) {
        await this.#fs.makeFolder(folder);
        made.push(folder);
        await this.#fs.syncFolder(dirname(folder));
      }
      await this.#runLocked(place, () => this.#replace(found, bytes));
      return made;
    } catch (error) {
      await this.#removeFolders(made);
      throw unwritable(found.target, error);
    }
  }

  /** Removes a file, and those of the folders that are empty then. */
  async remove(place: Place, found: FoundFile, made: readonly string[]): Promise<void> {
    try {
      await this.#runLocked(place, async () => {
        await this.#requireUnchanged(found);
        await this.#fs.remove(found.target);
      });
      await this.#fs.syncFolder(dirname(found.target));
    } catch (error) {
      throw unwritable(found.target, error);
    }
    await this.#removeFolders(made);
  }

  /** Removes the leftover of an interrupted write next to a file. */
  async tidy(path: string): Promise<void> {
    await this.#fs.remove(path + ASIDE).catch(() => undefined);
  }

  /** Stores exact bytes, readable only by the owner. @param name `<client>/<time>` @returns it */
  async keep(name: string, bytes: Uint8Array): Promise<string> {
    const path = join(this.#backups, name);
    try {
      await nodeStoreFs.makeFolder(dirname(path));
      await replaceFile(nodeStoreFs, path, (file) => file.write(bytes, 0));
    } catch (error) {
      throw unwritable(path, error);
    }
    return name;
  }

  /** @returns null if the backup is missing or has changed */
  async readBackup(name: string, digest: string): Promise<Buffer | null> {
    try {
      const bytes = await nodeStoreFs.readWhole(join(this.#backups, name));
      return sha256(bytes) === digest ? bytes : null;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return null;
      throw unreadable(name, error);
    }
  }

  async #replace(found: FoundFile, bytes: Uint8Array): Promise<void> {
    const aside = found.target + ASIDE;
    await this.#fs.remove(aside).catch(() => undefined);
    try {
      await this.#fs.create(aside, bytes, found.facts);
      await this.#requireUnchanged(found);
      await this.#fs.rename(aside, found.target);
    } catch (error) {
      await this.#fs.remove(aside).catch(() => undefined);
      throw error;
    }
    await this.#fs.syncFolder(dirname(found.target));
  }

  async #requireUnchanged({ target, digest }: FoundFile): Promise<void> {
    const now = await this.read(target);
    if (now.digest !== digest)
      throw createRefusal(`${target} was changed just now. Look at the change again, and try again.`);
  }

  /** Runs work while holding the client's own lock, if it has one. */
  async #runLocked(place: Place, work: () => Promise<void>): Promise<void> {
    const { lock } = place;
    if (lock === null) return work();
    const lockFacts = await this.#facts(lock);
    // The system clock set its time, so its age is by the system clock.
    if (lockFacts !== null && Date.now() - lockFacts.changedAt < STALE_LOCK_MS)
      throw createRefusal(`${place.path} is being written by its own program. Try again in a moment.`);
    if (lockFacts === null) await this.#fs.makeFolder(lock);
    try {
      await work();
    } finally {
      if (lockFacts === null) await this.#fs.removeFolder(lock).catch(() => undefined);
    }
  }

  async #facts(path: string): Promise<FileFacts | null> {
    try {
      return await this.#fs.facts(path);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return null;
      throw unreadable(path, error);
    }
  }

  async #follow(path: string): Promise<string> {
    try {
      return await this.#fs.target(path);
    } catch (error) {
      if (errorCode(error) === "ENOENT")
        throw createRefusal(`${path} is a link that leads nowhere. Postern leaves it as it is.`);
      throw unreadable(path, error);
    }
  }

  async #access(path: string): Promise<void> {
    try {
      await this.#fs.writable(path);
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  async #missingFolders(target: string): Promise<readonly string[]> {
    const missing: string[] = [];
    for (let folder = dirname(target); (await this.#facts(folder)) === null; folder = dirname(folder))
      missing.unshift(folder);
    return missing;
  }

  async #nearestFolder(place: Place, target: string): Promise<string> {
    const [outermost] = await this.#missingFolders(target);
    const folder = outermost === undefined ? dirname(target) : dirname(outermost);
    const facts = await this.#facts(folder);
    if (facts?.kind !== "folder" && facts?.kind !== "link")
      throw createRefusal(`${folder} is not a folder, so ${place.path} cannot be there.`);
    return folder;
  }

  async #removeFolders(made: readonly string[]): Promise<void> {
    // A folder that another program uses stays.
    for (const folder of made.toReversed()) await this.#fs.removeFolder(folder).catch(() => undefined);
  }
}

function unreadable(path: string, error: unknown): unknown {
  if (error instanceof GatewayError) return error;
  const code = errorCode(error);
  if (code === "EACCES" || code === "EPERM") return createRefusal(`${path} may not be read by Postern.`);
  if (code === "ENOTDIR") return createRefusal(`${path} cannot be there: one of its folders is a file.`);
  if (code === "ELOOP") return createRefusal(`${path} is a link that leads back to itself.`);
  return code === "" ? error : createRefusal(`${path} could not be read: ${code}.`);
}

function unwritable(path: string, error: unknown): unknown {
  if (error instanceof GatewayError) return error;
  const code = errorCode(error);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return createRefusal(`${path} may not be written by Postern. Nothing was changed.`);
  if (code === "EBUSY" || code === "ETXTBSY")
    return createRefusal(`${path} is held by another program. Nothing was changed; close it, and try again.`);
  if (code === "ENOSPC" || code === "EDQUOT")
    return createRefusal(`There is no room on the disk of ${path}. Nothing was changed.`);
  return code === "" ? error : createRefusal(`${path} could not be written: ${code}. Nothing was changed.`);
}
