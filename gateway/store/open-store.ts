import { join } from "node:path";
import { Low } from "lowdb";
import type { Clock } from "../lib/clock.ts";
import { getMessage } from "../lib/message-of.ts";
import { GenerationAdapter } from "./adapter.ts";
import {
  SCHEMA_VERSION,
  USAGE_FOLDER,
  openError,
  prepareFolder,
  readMarker,
  removeTemporary,
  writeMarker,
} from "./folder/data-folder.ts";
import type { Marker } from "./folder/data-folder.ts";
import { openSecrets } from "./data-key.ts";
import { DELTA_NAME } from "./journal/delta-format.ts";
import type { LoadedState } from "./journal/generation-load.ts";
import { Journal } from "./journal/journal.ts";
import { LiveStore } from "./live-store.ts";
import { emptyDocument } from "./disk/memory.ts";
import type { LiveDocument } from "./disk/memory.ts";
import { Ledger } from "./ledger/ledger.ts";
import { Quarantine } from "./quarantine.ts";
import { secureFile } from "./disk/append-file.ts";
import type { BadRange } from "./disk/line.ts";
import type { Commit } from "./record-changes.ts";
import { findStateFiles } from "./folder/state-files.ts";
import type { Change } from "./document.ts";
import type { FoundFiles } from "./folder/state-files.ts";
import type { StoreLog } from "./store-event.ts";
import { nodeStoreFs } from "./disk/store-fs.ts";
import type { StoreFs } from "./disk/store-fs.ts";
import type { KeySealer, Store } from "./store.ts";
import { NumberedUsageLog } from "./usage/usage-log.ts";
import { replayUsage } from "./usage/usage-replay.ts";
import type { ReplayedUsage } from "./usage/usage-replay.ts";
import { UsageWriter } from "./usage/usage-writer.ts";

export interface OpenStoreOptions {
  /** Absolute path. The caller holds its lock (`lockFolder`). */
  readonly dir: string;
  readonly sealer: KeySealer;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly fs?: StoreFs;
  /** Tests pass their own index over their disk. */
  readonly ledger?: Pick<Ledger, "ask" | "onDamage" | "close">;
  /** Quarantine of an earlier step; by default a new one. */
  readonly quarantine?: Quarantine;
  readonly schemaVersion?: number;
  /** Name and version of the program, stored in its files. */
  readonly writtenBy?: string;
}

export interface OpenedStore extends Store {
  /** Whether the folder was never used: only then is a first key created and shown. */
  readonly fresh: boolean;
  /**
   * Puts changes on the disk and into the document without reading it. Only for a caller with exclusive use of the folder;
   * all others use `change` and `transact`.
   */
  readonly commit: Commit;
  commitRelaxed(changes: readonly Change[]): void;
}

/**
 * Opens a data folder in any state: newest intact generation, then the journal, then the usage log. Damaged content is
 * quarantined and reported. A folder of a newer version is opened read-only.
 * @throws StoreOpenError if the folder is unusable
 */
export async function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  try {
    return await openFolder(options);
  } catch (error) {
    throw openError(options.dir, error);
  }
}

async function openFolder(options: OpenStoreOptions): Promise<LiveStore> {
  const { dir, clock, log } = options;
  const fs = options.fs ?? nodeStoreFs;
  const writer = { schemaVersion: options.schemaVersion ?? SCHEMA_VERSION, writtenBy: options.writtenBy ?? "Postern" };
  const names = await prepareFolder(fs, dir);
  await removeTemporary(fs, dir);
  const quarantine = options.quarantine ?? new Quarantine(fs, dir, clock, log);
  const marker = await readMarker(fs, dir, quarantine);
  const files = await findStateFiles(fs, dir);
  const frozen = newerVersion(writer.schemaVersion, marker, files);
  const known = marker?.schemaVersion === writer.schemaVersion && marker.writtenBy === writer.writtenBy;
  if (frozen !== null) quarantine.onlyTell();
  else if (marker !== null && !known) await removeDeltas(fs, dir).catch((error: unknown) => logFailure(log, error));

  const adapter = new GenerationAdapter({ fs, dir, clock, quarantine, files, writer });
  const low = new Low<LiveDocument>(adapter, emptyDocument());
  await low.read();
  const loaded = adapter.loaded as LoadedState;
  if (marker !== null && files.generations.length + files.journals.length === 0) {
    quarantine.tell("missing", "The data folder was used before, but its saved state and journal are gone.", null, dir);
  }
  const usageFolder = join(dir, USAGE_FOLDER);
  const replayed = await replayUsage(fs, usageFolder, loaded.usage, low.data, loaded.openCalls, quarantine);
  if (frozen === null) await secureRead(fs, dir, loaded, replayed, log);
  const secrets = await openSecrets(fs, dir, options.sealer, quarantine, frozen !== null);

  const fresh = !names.has("quarantine") && quarantine.notices.length === 0 && isUnused(loaded, replayed, low.data);
  const store = connect({ options, fs, adapter, low, loaded, replayed, secrets, frozen, fresh, quarantine });
  if (frozen !== null) {
    quarantine.tell("newer", frozen, null, dir);
    for (const record of quarantine.notices) low.data.notices.set(record.id, record);
    return store;
  }
  const mark = (): Promise<void> => writeMarker(fs, dir, writer).catch((error: unknown) => logFailure(log, error));
  // An older version must not take over a folder that this one has written to.
  if (marker !== null && (!known || marker.check === undefined)) await mark();
  const begins = fresh && loaded.journal.lastSeq === 0;
  await settleFolder(store, adapter, quarantine, log, begins, loaded.damaged || replayed.damaged);
  if (marker === null) await mark();
  return store;
}

/**
 * Earlier versions without deltas leave them in place when they restore a backup. Their content is also in the logs.
 */
async function removeDeltas(fs: StoreFs, dir: string): Promise<void> {
  for (const name of (await fs.list(dir)).filter((one) => DELTA_NAME.test(one))) await fs.remove(join(dir, name));
}

function newerVersion(ours: number, marker: Marker | null, files: FoundFiles): string | null {
  const writers = [...files.generations, ...(marker === null ? [] : [marker])];
  const newest = writers.reduce<{ schemaVersion: number; writtenBy: string } | null>(
    (best, writer) => (best === null || writer.schemaVersion > best.schemaVersion ? writer : best),
    null,
  );
  if (newest === null || newest.schemaVersion <= ours) return null;
  return (
    `This data folder was written by ${newest.writtenBy} (layout ${newest.schemaVersion}, this version knows ${ours}). ` +
    "It is open for reading only; start that version or a newer one to change it."
  );
}

function isUnused(loaded: LoadedState, replayed: ReplayedUsage, document: LiveDocument): boolean {
  // A start that ends before it listens leaves two entries without changes.
  return (
    loaded.journal.lastSeq <= 2 && replayed.n === 0 && Object.values(document).every((records) => records.size === 0)
  );
}

/** Syncs what was read from the logs, and truncates invalid bytes at their ends. */
async function secureRead(
  fs: StoreFs,
  dir: string,
  { applied, journal: { file } }: LoadedState,
  { read }: ReplayedUsage,
  log: StoreLog,
): Promise<void> {
  const torn = new Map<string, BadRange | null>(applied.map((name) => [name, null]));
  if (file !== null && file.torn !== null) torn.set(file.name, file.torn);
  for (const [name, range] of read) torn.set(join(USAGE_FOLDER, name), range);
  for (const [name, range] of torn) {
    // If the disk refuses now, it stays as it is: lines continue after it.
    await secureFile(fs, join(dir, name), range).catch((error: unknown) => logFailure(log, error));
  }
}

function connect(parts: {
  options: OpenStoreOptions;
  fs: StoreFs;
  adapter: GenerationAdapter;
  low: Low<LiveDocument>;
  loaded: LoadedState;
  replayed: ReplayedUsage;
  secrets: Awaited<ReturnType<typeof openSecrets>>;
  frozen: string | null;
  fresh: boolean;
  quarantine: Quarantine;
}): LiveStore {
  const { options, fs, adapter, low, loaded, replayed, secrets, frozen, fresh, quarantine } = parts;
  const { dir, clock, log } = options;
  const folder = join(dir, USAGE_FOLDER);
  const writer: UsageWriter = new UsageWriter({
    fs,
    folder,
    log,
    ends: replayed.ends,
    frozen,
    onHealth: () => store.noteHealth(),
  });
  const ledger = options.ledger ?? new Ledger({ dir, readOnly: frozen !== null, log });
  const usage = new NumberedUsageLog(
    {
      fs,
      folder,
      rows: low.data,
      writer,
      ledger,
      log,
    },
    { n: replayed.n, openCalls: loaded.openCalls },
  );
  const unfinished = [...loaded.openCalls.values()];
  const openingNotices = quarantine.notices;
  const store: LiveStore = new LiveStore(
    { fs, dir, clock, log, low, adapter, usage, ledger, writer, secrets, frozen, fresh, unfinished, openingNotices },
    (hooks) =>
      new Journal({ fs, dir, clock, log, ...hooks, onFile: (seq) => adapter.noteJournal(seq) }, loaded.journal),
  );
  return store;
}

/** Brings the folder into its ordinary state: notes problems, and writes a new generation without the damage. */
async function settleFolder(
  store: LiveStore,
  adapter: GenerationAdapter,
  quarantine: Quarantine,
  log: StoreLog,
  begins: boolean,
  damaged: boolean,
): Promise<void> {
  try {
    if (quarantine.notices.length > 0) {
      store.commitRelaxed(quarantine.notices.map((record) => ({ op: "put", in: "notices", record })));
    } else if (begins) {
      // After this a folder with a marker and without a journal is one that lost it.
      await store.commit([]);
    }
    if (damaged) {
      adapter.wholeNext();
      await store.snapshot();
    }
    await adapter.removeMisplaced();
  } catch (error) {
    logFailure(log, error);
  }
}

function logFailure(log: StoreLog, error: unknown): void {
  const reason = getMessage(error);
  log({
    event: "store.opening_write_failed",
    level: "error",
    message: `The data folder could not be written: ${reason}`,
  });
}
