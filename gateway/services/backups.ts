import type { BackupKind, BackupsView, MadeBackup } from "../contract/maintenance.ts";
import { GatewayError } from "../core/errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { Later } from "../lib/later.ts";
import type { Log } from "../lib/log.ts";
import { getMessage } from "../lib/message-of.ts";
import { Mutex } from "../lib/mutex.ts";
import { listBackups, removeBackup } from "../store/backups/backup.ts";
import { diskRefusal } from "../store/backups/backup-room.ts";
import { forgetRestore, readIntent } from "../store/backups/restore.ts";
import { BackupUnusableError, stageRestore } from "../store/backups/stage-restore.ts";
import { nodeStoreFs } from "../store/disk/store-fs.ts";
import { StoreOpenError } from "../store/folder/data-folder.ts";
import type { MediaDisk } from "../store/media/media-disk.ts";
import { NoRoomError, StoreWriteError } from "../store/store.ts";
import type { KeySealer, Store } from "../store/store.ts";
import { Scheduler } from "./scheduler.ts";
import type { Notices } from "./notices.ts";
import type { AppSettings } from "./settings.ts";

/** Not in the middle of a start. */
const FIRST_MS = 5 * 60_000;
const EVERY_MS = 60 * 60_000;
/** After a refusal: room does not come by asking. */
const AGAIN_MS = 6 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

export interface BackupsDeps {
  readonly store: Store;
  readonly dataDir: string;
  readonly sealer: KeySealer;
  readonly settings: AppSettings;
  readonly notices: Pick<Notices, "add">;
  readonly disk: MediaDisk;
  readonly clock: Clock;
  readonly later: Later;
  readonly log: Log;
}

/** Backups of everything except media and recordings: created manually or daily, restored at the next start. */
export class Backups {
  readonly #deps: BackupsDeps;
  readonly #scheduler: Scheduler<"daily">;
  /** Allows one change of the backups at a time. */
  readonly #mutex = new Mutex();
  /** Monotonic time of the last notice that the day has no backup. */
  #reportedAt = -Infinity;
  #stopped = false;

  constructor(deps: BackupsDeps) {
    this.#deps = deps;
    const { clock, later } = deps;
    this.#scheduler = new Scheduler({ clock, later, onDue: () => void this.#daily() });
  }

  /** A backup a day from now on, while the settings want any. */
  start(): void {
    this.#scheduler.set("daily", this.#deps.clock.now() + FIRST_MS);
  }

  /** After the machine slept. */
  check(): void {
    this.#scheduler.check();
  }

  /** Begins nothing more. Resolves when no backup is being made. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#scheduler.stop();
    await this.#mutex.waitUntilSettled();
  }

  /** @throws GatewayError storage_unavailable */
  async view(): Promise<BackupsView> {
    const { dataDir } = this.#deps;
    try {
      const [data, intent] = await Promise.all([listBackups(dataDir), readIntent(nodeStoreFs, dataDir)]);
      return { data, pending: intent?.backup ?? null };
    } catch (error) {
      throw createExpected("The backups cannot be listed", error);
    }
  }

  /** @throws GatewayError storage_unavailable if the disk is full or refuses the write; nothing partial is left */
  create(withoutKey: boolean): Promise<MadeBackup> {
    return this.#runExclusive("The backup was not made", () => this.#make("manual", withoutKey));
  }

  /**
   * Schedules a restore: the next start replaces the data with this backup, and keeps the replaced data as a backup.
   * @throws GatewayError not_found; conflict if the backup is incomplete; storage_unavailable without room for a copy
   */
  restore(name: string): Promise<BackupsView> {
    return this.#runExclusive("The backup cannot be restored", async () => {
      const { dataDir: dir, sealer, clock, log, disk } = this.#deps;
      await this.#require(name);
      await stageRestore({ dir, backup: name, sealer, clock, freeBytes: (folder) => disk.freeBytes(folder) });
      log.info("backup.restore_staged", { backup: name });
      return this.view();
    });
  }

  /**
   * Deletes a backup for good.
   * @throws GatewayError not_found; conflict for the one that the next start restores; storage_unavailable
   */
  remove(name: string): Promise<BackupsView> {
    return this.#runExclusive("The backup was not deleted", async () => {
      const { dataDir, log } = this.#deps;
      await this.#require(name);
      if ((await readIntent(nodeStoreFs, dataDir))?.backup === name) {
        throw new GatewayError(
          "conflict",
          "The next start restores this backup. Restart Postern first, or keep the data of now.",
        );
      }
      await removeBackup(dataDir, name);
      log.info("backup.removed", { backup: name });
      return this.view();
    });
  }

  /** Cancels a scheduled restore. @throws GatewayError storage_unavailable */
  cancelRestore(): Promise<BackupsView> {
    return this.#runExclusive("The backup is still to be restored", async () => {
      await forgetRestore(nodeStoreFs, this.#deps.dataDir);
      return this.view();
    });
  }

  /** Runs work during which no backup may be created, restored or deleted. @throws what it throws; GatewayError */
  pauseDuring<T>(work: () => Promise<T>): Promise<T> {
    return this.#runExclusive("It was not done", work);
  }

  /** Only listed names are used as paths. @throws GatewayError not_found */
  async #require(name: string): Promise<void> {
    if ((await listBackups(this.#deps.dataDir)).some((backup) => backup.name === name)) return;
    throw new GatewayError("not_found", "This backup is not in the data folder any more. Choose another one.");
  }

  async #daily(): Promise<void> {
    const { clock } = this.#deps;
    this.#scheduler.set("daily", clock.now() + AGAIN_MS);
    try {
      await this.#runExclusive("The backup of the day was not made", () => this.#makeDaily());
      this.#scheduler.set("daily", clock.now() + EVERY_MS);
    } catch (error) {
      this.#tell(getMessage(error));
    }
  }

  /** A disk that stays full is news once a day. */
  #tell(message: string): void {
    const { clock, log, notices } = this.#deps;
    log.warn("backup.failed", { message });
    if (clock.monotonic() - this.#reportedAt < DAY_MS) return;
    this.#reportedAt = clock.monotonic();
    notices.add("warning", `There is no backup of this day. ${message}`);
  }

  async #makeDaily(): Promise<void> {
    const { store, dataDir, settings, clock, log } = this.#deps;
    const keep = settings.get("backup_keep");
    if (keep === null || store.frozen || !store.writable) return;
    const now = clock.now();
    const age = ({ at }: { readonly at: number }): number => Math.abs(now - at);
    // A backup made under a wrong date lies far from now: each day still gets its own, and the wrong one is the first to go.
    const ours = (await listBackups(dataDir))
      .filter(({ kind }) => kind === "automatic")
      .toSorted((a, b) => age(a) - age(b));
    if (ours[0] !== undefined && age(ours[0]) < DAY_MS) return;
    const spent = ours.slice(keep - 1).map(({ name }) => name);
    const made = await this.#make("automatic").catch(async (error: unknown) => {
      // Backups that are due for deletion after the new one are deleted now to make room, unless there is only one.
      const early = spent.splice(keep > 1 ? 0 : 1);
      if (early.length === 0 || !(error instanceof NoRoomError)) throw error;
      for (const name of early) await removeBackup(dataDir, name);
      return this.#make("automatic");
    });
    this.#reportedAt = -Infinity;
    log.info("backup.made", { bytes: made.bytes });
    for (const name of spent) await removeBackup(dataDir, name);
  }

  #make(kind: BackupKind, withoutKey = false): Promise<MadeBackup> {
    return this.#deps.store.backup(kind, (folder) => this.#deps.disk.freeBytes(folder), withoutKey);
  }

  /** @param what is true when it fails, a sentence without its end @throws GatewayError shutting_down; others */
  #runExclusive<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (this.#stopped) return Promise.reject(new GatewayError("shutting_down", "Postern is stopping."));
    return this.#mutex.run(work).catch((error: unknown) => {
      throw createExpected(what, error);
    });
  }
}

/** Converts every expected failure to an error with its code. */
function createExpected(what: string, error: unknown): unknown {
  const cause = diskRefusal(what, error);
  if (cause instanceof BackupUnusableError) return new GatewayError("conflict", cause.message, { cause });
  if (cause instanceof StoreWriteError || cause instanceof StoreOpenError)
    return new GatewayError("storage_unavailable", cause.message, { cause });
  return cause;
}
