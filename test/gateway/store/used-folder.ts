import { frame } from "../../../gateway/store/disk/line.ts";
import { NOON, dropKey, open, openCall, putKey, receipt, type Opened } from "./fixtures.ts";
import { SimFs, type Disk } from "./sim-fs.ts";

export const DIR = "/data";
export const KEYS_AFTER_SNAPSHOT = 20;
const MONTH_MS = 31 * 86_400_000;
const SNAPSHOTS = 2;
const READY_MS = 2_000;
export const RECEIPTS = 6;

/** Two generations, a journal with changes after them, two months of usage, a secret; ended by a kill. */
export async function makeUsedFolder(): Promise<UsedFolder> {
  const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
  const { store } = await open({ dir: DIR, fs });
  for (let round = 0; round < SNAPSHOTS; round += 1) {
    await store.commit([putKey(`old-${round}`), putKey(`revoked-${round}`)]);
    await store.commit([dropKey(`revoked-${round}`)]);
    await store.usage.settle(receipt(`r${round * 2}`));
    await store.usage.settle(receipt(`r${round * 2 + 1}`, { at: NOON + MONTH_MS }));
    await store.snapshot();
  }
  for (let index = 0; index < KEYS_AFTER_SNAPSHOT; index += 1) await store.commit([putKey(`new-${index}`)]);
  await store.secrets.add("provider key");
  store.usage.begin(openCall("r5"));
  await store.usage.settle(receipt("r4"));
  await store.usage.settle(receipt("r5", { at: NOON + MONTH_MS }));
  await store.usage.sync();
  const disk = fs.afterKill();
  await store.close();
  return new UsedFolder(disk);
}

export class UsedFolder {
  readonly disk: Disk;
  /** Newest first. */
  readonly states: readonly string[];
  readonly journals: readonly string[];

  constructor(disk: Disk) {
    this.disk = disk;
    this.states = this.#newestFirst(/state\.(\d+)\.ndjson$/);
    this.journals = this.#newestFirst(/journal\.(\d+)\.ndjson$/);
  }

  contentOf(path: string): Buffer {
    return this.disk.files.get(path) ?? Buffer.alloc(0);
  }

  /** The same folder with other content in these files; null takes a file away. */
  with(changes: Readonly<Record<string, Buffer | null>>): Disk {
    const files = new Map(this.disk.files);
    for (const [path, bytes] of Object.entries(changes)) {
      if (bytes === null) files.delete(path);
      else files.set(path, bytes);
    }
    return { files, folders: this.disk.folders };
  }

  /** The same folder without the files that match. */
  without(pattern: RegExp): Disk {
    const gone = [...this.disk.files.keys()].filter((path) => pattern.test(path));
    return this.with(Object.fromEntries(gone.map((path) => [path, null])));
  }

  #newestFirst(pattern: RegExp): string[] {
    const number = (path: string): number => Number(pattern.exec(path)?.[1]);
    const found = [...this.disk.files.keys()].filter((path) => pattern.test(path));
    return found.toSorted((a, b) => number(b) - number(a));
  }
}

export interface OpenedDamaged extends Opened {
  readonly fs: SimFs;
  /** What is in quarantine, file by file. */
  readonly quarantined: readonly Buffer[];
  readonly openedInMs: number;
}

export async function openDamaged(disk: Disk): Promise<OpenedDamaged> {
  const fs = new SimFs(disk);
  // Processor time: what a neighbour's load takes from it is no fault of the folder.
  const started = process.cpuUsage();
  const opened = await open({ dir: DIR, fs });
  const { user, system } = process.cpuUsage(started);
  const openedInMs = (user + system) / 1_000;
  const aside = [...fs.afterKill().files].filter(([path]) => path.includes("/quarantine/"));
  return { ...opened, fs, quarantined: aside.map(([, bytes]) => bytes), openedInMs };
}

/** The keys, the spend and the open calls of a store. */
export function seen({ store }: Pick<Opened, "store">) {
  const keys = [...store.document.keys.keys()].toSorted();
  return { keys, nano: store.document.spend.get("*")?.total_nano, unfinished: store.unfinished };
}

/** What the used folder holds. */
export const EVERYTHING: ReturnType<typeof seen> = {
  keys: ["old-0", "old-1", ...Array.from({ length: KEYS_AFTER_SNAPSHOT }, (_, index) => `new-${index}`)].toSorted(),
  nano: RECEIPTS * 10,
  unfinished: [],
};

/** What an owner is informed of damage: one log line and one lasting notice each, and the folder stays in use. */
export function reported({ store, events, openedInMs }: OpenedDamaged) {
  const lines = events.filter((event) => event.level === "warning").length;
  const lasting = store.openingNotices.filter((notice) => store.document.notices.has(notice.id)).length;
  const count = store.openingNotices.length;
  return {
    some: count > 0,
    everyLineIsANotice: lines === count && lasting === count,
    inTime: openedInMs < READY_MS,
    fresh: store.fresh,
    writable: store.writable,
  };
}

export const TOLD: ReturnType<typeof reported> = {
  some: true,
  everyLineIsANotice: true,
  inTime: true,
  fresh: false,
  writable: true,
};

export const flipBit = (bytes: Buffer, bit: number): Buffer => {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return flipped;
};

/** The twelve ways in which a file can be wrong, other than being another file. */
export const KINDS: readonly { readonly kind: string; readonly damage: (bytes: Buffer) => Buffer }[] = [
  { kind: "empty", damage: () => Buffer.alloc(0) },
  { kind: "filled with zeros", damage: (bytes) => Buffer.alloc(bytes.length) },
  { kind: "cut in half", damage: (bytes) => bytes.subarray(0, bytes.length >> 1) },
  { kind: "without its last byte", damage: (bytes) => bytes.subarray(0, bytes.length - 1) },
  { kind: "flipped in one bit", damage: (bytes) => flipBit(bytes, bytes.length * 4) },
  { kind: "null", damage: () => Buffer.from("null") },
  { kind: "[]", damage: () => Buffer.from("[]\n") },
  { kind: "wrong types", damage: (bytes) => Buffer.from(bytes.toString().replaceAll('"name":', '"name":1,"n":')) },
  { kind: "a byte order mark", damage: (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]) },
  { kind: "invalid UTF-8", damage: (bytes) => Buffer.concat([Buffer.from([0xc3, 0x28, 0xff]), bytes]) },
  { kind: "nested 100,000 deep", damage: () => Buffer.from(frame("[".repeat(100_000) + "]".repeat(100_000))) },
  { kind: "written twice", damage: (bytes) => Buffer.concat([bytes, bytes]) },
];
