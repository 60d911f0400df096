import { join } from "node:path";
import { errorCode } from "../disk/store-fs.ts";
import type { Found, StoreFs } from "../disk/store-fs.ts";
import { getShard, isShard, parseSidecar, readName } from "./sidecar.ts";
import type { Sidecar } from "./sidecar.ts";

/** A sidecar with a stamp that identifies the file that was read. */
export interface StampedSidecar extends Sidecar {
  readonly stamp: string;
}

/** Changes in a folder of the library since its sidecars were read. */
export interface FolderContent {
  readonly folder: string;
  readonly sidecars: readonly StampedSidecar[];
  /** Ids whose sidecars are missing or unusable. */
  readonly gone: readonly string[];
  /** Ids that need a new sidecar: theirs is damaged or another result's, or only their file is there. */
  readonly odd: readonly string[];
  /** Whether the disk read every one. */
  readonly isWhole: boolean;
}

/** Sidecars that are read together. */
const TOGETHER = 16;

/** Names of the library's folders. Links are not followed. @param dir the library's folder */
export async function listFolders(fs: StoreFs, dir: string): Promise<ReadonlyMap<string, Found>> {
  const folders = new Map<string, Found>();
  for (const name of (await fs.list(dir)).filter(isShard).toSorted()) {
    const found = await fs.check(join(dir, name));
    if (found?.kind === "folder") folders.set(name, found);
  }
  return folders;
}

/**
 * Reads the unknown sidecars of a folder.
 * @param known stamps by id @param isStamped false: a known name is assumed to be the file that was read
 * @throws the disk's error
 */
export async function readFolder(
  fs: StoreFs,
  dir: string,
  folder: string,
  known: ReadonlyMap<string, string>,
  isStamped: boolean,
): Promise<FolderContent> {
  const media = new Set<string>();
  const names = new Set<string>();
  for (const name of await fs.list(join(dir, folder))) {
    const file = readName(name);
    // The id must not lead to another folder.
    if (file === null || getShard(file.id) !== folder) continue;
    if (file.kind === "media") media.add(file.id);
    if (file.kind === "sidecar") names.add(file.id);
  }
  const sidecars: StampedSidecar[] = [];
  const odd = [...media].filter((id) => !names.has(id));
  const gone = [...known.keys()].filter((id) => !names.has(id));
  const readOne = async (id: string): Promise<void> => {
    const path = join(dir, folder, `${id}.json`);
    const stamp = known.get(id);
    if (stamp !== undefined && !isStamped) return;
    const found = await fs.check(path);
    const now = found === null ? "" : `${found.bytes}:${found.changedAt}`;
    if (now === stamp || found === null) return;
    const sidecar = found.kind === "file" ? parseSidecar(await readUnlessGone(fs, path), id) : "damaged";
    if (typeof sidecar === "object") sidecars.push({ ...sidecar, stamp: now });
    else if (stamp !== undefined) gone.push(id);
    if (sidecar === "damaged" || (sidecar === "copied" && media.has(id))) odd.push(id);
  };
  const ids = [...names];
  let unread = 0;
  for (let start = 0; start < ids.length; start += TOGETHER) {
    const ends = await Promise.allSettled(ids.slice(start, start + TOGETHER).map(readOne));
    unread += ends.filter(({ status }) => status === "rejected").length;
  }
  return { folder, sidecars, gone, odd, isWhole: unread === 0 };
}

async function readUnlessGone(fs: StoreFs, path: string): Promise<Buffer> {
  try {
    return await fs.readWhole(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}
