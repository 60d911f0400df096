import { dirname } from "node:path";
import type { Found, StoreFile, StoreFs } from "../../../gateway/store/disk/store-fs.ts";
import { applyData, remains, subsets, type DataOp } from "./power-cuts.ts";

/**
 * A disk that forgets. Data is durable after the file was synced, names after their folder was synced; of everything
 * later a power cut may leave nothing, a part, or all. It can also fail its k-th call.
 */

interface Inode {
  /** What a sync made durable. */
  durable: Buffer;
  /** What reads see. */
  cache: Buffer;
  pending: DataOp[];
}

interface NameOp {
  readonly folders: readonly string[];
  readonly put?: readonly [string, Inode | "folder"];
  readonly drop?: string;
  /** A folder with all that is in it, from one name to another. */
  readonly move?: readonly [string, string];
}

/** What a power cut left: whole files and folders. */
export interface Disk {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly folders: ReadonlySet<string>;
}

export interface Fault {
  /** The call that fails, counted from 0 over all calls that could change the disk or read it. */
  readonly call: number;
  readonly code: string;
  /** How many calls fail from there on. */
  readonly calls?: number;
}

export class SimFs implements StoreFs {
  readonly #durableNames = new Map<string, Inode | "folder">();
  readonly #names = new Map<string, Inode | "folder">();
  #pendingNames: NameOp[] = [];
  /** Its process was killed: whatever it still asks for is not done. */
  #dead = false;
  calls = 0;
  fault: Fault | null = null;
  /** Called after each call that changed something. */
  onStep: () => void = () => undefined;
  /** What an opening of a file or a sync of one has to wait for. */
  hold: (call: "open" | "sync", path: string) => Promise<void> | null = () => null;

  constructor(disk?: Disk) {
    for (const folder of disk?.folders ?? []) this.#durableNames.set(folder, "folder");
    for (const [path, bytes] of disk?.files ?? []) this.#durableNames.set(path, newFile(bytes));
    for (const [path, node] of this.#durableNames) this.#names.set(path, node);
  }

  async makeFolder(path: string): Promise<void> {
    this.#count();
    const missing: string[] = [];
    for (let at = path; !this.#names.has(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
    for (const folder of missing) this.#rename({ folders: [dirname(folder)], put: [folder, "folder"] });
    if (this.#names.get(path) !== "folder") throw systemError("EEXIST");
  }

  async protect(): Promise<void> {
    this.#count();
  }

  async list(path: string): Promise<string[]> {
    this.#count();
    const names = [...this.#names.keys()].filter((name) => dirname(name) === path && name !== path);
    return names.map((name) => name.slice(path.length + 1));
  }

  async check(path: string): Promise<Found | null> {
    this.#count();
    const node = this.#names.get(path);
    if (node === undefined) return null;
    return node === "folder"
      ? { kind: "folder", bytes: 0, changedAt: 0 }
      : { kind: "file", bytes: contentOf(node).length, changedAt: 0 };
  }

  async size(path: string): Promise<number | null> {
    const found = await this.check(path);
    return found?.kind === "file" ? found.bytes : null;
  }

  async readWhole(path: string): Promise<Buffer> {
    this.#count();
    return contentOf(this.#file(path));
  }

  async open(path: string, how: "read" | "append" | "create"): Promise<StoreFile> {
    await this.hold("open", path);
    this.#count();
    const found = this.#names.get(path);
    if (found !== undefined && how === "create") throw systemError("EEXIST");
    if (found === undefined && how === "read") throw systemError("ENOENT");
    if (found === undefined) this.#rename({ folders: [dirname(path)], put: [path, newFile(Buffer.alloc(0))] });
    return this.#handle(this.#file(path), path);
  }

  async rename(from: string, to: string): Promise<void> {
    this.#count();
    const folders = [...new Set([dirname(from), dirname(to)])];
    if (this.#names.get(from) === "folder") this.#rename({ folders, move: [from, to] });
    else this.#rename({ folders, put: [to, this.#file(from)], drop: from });
  }

  async remove(path: string): Promise<void> {
    this.#count();
    if (this.#names.has(path)) this.#rename({ folders: [dirname(path)], drop: path });
  }

  async removeFolder(path: string): Promise<void> {
    this.#count();
    const below = [...this.#names.keys()].filter((name) => name === path || name.startsWith(`${path}/`));
    // Deepest first, as a disk does it.
    for (const name of below.toSorted((one, other) => other.length - one.length)) {
      this.#rename({ folders: [dirname(name)], drop: name });
    }
  }

  async syncFolder(path: string): Promise<void> {
    this.#count();
    const [now, later] = [[], []] as [NameOp[], NameOp[]];
    for (const op of this.#pendingNames) (op.folders.includes(path) ? now : later).push(op);
    for (const op of now) applyName(this.#durableNames, op);
    this.#pendingNames = later;
    this.onStep();
  }

  /** The disk as a killed process leaves it: the kernel still has everything. */
  afterKill(): Disk {
    return imageOf(this.#names, contentOf);
  }

  /** The same disk for the process after a killed one: what was not synced is still only in the kernel. */
  killed(): SimFs {
    this.#dead = true;
    const next = new SimFs();
    for (const [path, node] of this.#durableNames) next.#durableNames.set(path, node);
    for (const [path, node] of this.#names) next.#names.set(path, node);
    next.#pendingNames = [...this.#pendingNames];
    return next;
  }

  /** Disks that a power cut at this moment can leave, at most `most` of them, chosen by `random` when there are more. */
  afterPowerCut(most: number, random: () => number): Disk[] {
    const nameChoices = subsets(this.#pendingNames.length, random);
    const inodes = new Set(
      [...this.#durableNames.values(), ...this.#names.values()].filter((node) => node !== "folder"),
    );
    const dirty = [...inodes].filter((inode) => inode.pending.length > 0);
    const dataChoices = dirty.map((inode) => remains(inode));
    const total = dataChoices.reduce((product, choices) => product * choices.length, nameChoices.length);
    const disks: Disk[] = [];
    for (let index = 0; index < Math.min(total, most); index += 1) {
      let rest = total <= most ? index : Math.floor(random() * total);
      const pick = <T>(choices: readonly T[]): T => {
        const chosen = choices[rest % choices.length] as T;
        rest = Math.floor(rest / choices.length);
        return chosen;
      };
      const survived = pick(nameChoices);
      const contents = new Map(dirty.map((inode, at) => [inode, pick(dataChoices[at] as Buffer[])]));
      const names = new Map(this.#durableNames);
      for (const [at, op] of this.#pendingNames.entries()) if (survived.has(at)) applyName(names, op);
      disks.push(imageOf(names, (inode) => contents.get(inode) ?? inode.durable));
    }
    return disks;
  }

  #handle(inode: Inode, path: string): StoreFile {
    const change = (op: DataOp): void => {
      inode.pending.push(op);
      inode.cache = applyData(inode.cache, op);
      this.onStep();
    };
    const write = (bytes: Uint8Array, position: number): void => {
      const stored = Buffer.from(bytes);
      if (this.#dead) throw systemError("EIO");
      try {
        this.#count();
      } catch (error) {
        // A disk that fills up takes a part first.
        change({ position, bytes: stored.subarray(0, stored.length >> 1) });
        throw error;
      }
      change({ position, bytes: stored });
    };
    return {
      write: async (bytes, position) => write(bytes, position),
      writeNow: write,
      read: async (into, position) => {
        this.#count();
        return inode.cache.copy(into, 0, position, position + into.length);
      },
      sync: async () => {
        // What comes while it is under way is not in it.
        const count = inode.pending.length;
        await this.hold("sync", path);
        if (this.#dead) throw systemError("EIO");
        const pending = inode.pending.slice(0, count);
        // Like Linux: what a failed sync could not write is forgotten, and the next sync succeeds without it.
        inode.pending = inode.pending.slice(count);
        this.#count();
        inode.durable = pending.reduce(applyData, inode.durable);
        this.onStep();
      },
      truncate: async (length) => {
        this.#count();
        if (inode.cache.length !== length) change({ length });
      },
      close: async () => undefined,
    };
  }

  #count(): void {
    if (this.#dead) throw systemError("EIO");
    const call = this.calls;
    this.calls += 1;
    if (this.fault === null || call < this.fault.call || call >= this.fault.call + (this.fault.calls ?? 1)) return;
    throw systemError(this.fault.code);
  }

  #file(path: string): Inode {
    const node = this.#names.get(path);
    if (node === undefined || node === "folder") throw systemError("ENOENT");
    return node;
  }

  #rename(op: NameOp): void {
    applyName(this.#names, op);
    this.#pendingNames.push(op);
    this.onStep();
  }
}

const ROOT = "/";

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}

function applyName(names: Map<string, Inode | "folder">, op: NameOp): void {
  if (op.drop !== undefined) names.delete(op.drop);
  if (op.put !== undefined) names.set(...op.put);
  if (op.move === undefined) return;
  const [from, to] = op.move;
  for (const [name, node] of names) {
    if (name !== from && !name.startsWith(`${from}/`)) continue;
    names.delete(name);
    names.set(to + name.slice(from.length), node);
  }
}

const contentOf = (inode: Inode): Buffer => inode.cache;

const newFile = (bytes: Buffer): Inode => ({ durable: bytes, cache: bytes, pending: [] });

/** Only what can be reached: a file whose folder's name was lost is lost too. */
function imageOf(names: ReadonlyMap<string, Inode | "folder">, content: (inode: Inode) => Buffer): Disk {
  const folders = new Set<string>();
  const files = new Map<string, Buffer>();
  const reachable = (path: string): boolean => {
    const parent = dirname(path);
    return parent === ROOT || (names.get(parent) === "folder" && reachable(parent));
  };
  for (const [path, node] of names) {
    if (!reachable(path)) continue;
    if (node === "folder") folders.add(path);
    else files.set(path, content(node));
  }
  return { files, folders };
}
