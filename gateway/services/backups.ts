import type { BackupsView } from "../contract/upkeep.ts";
import { GatewayError } from "../core/errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { Later } from "../lib/later.ts";
import type { Log } from "../lib/log.ts";
import { messageOf } from "../lib/message-of.ts";
import { listBackups, removeBackup } from "../store/backups/backup-list.ts";
import { forgetRestore, readIntent } from "../store/backups/restore.ts";
import { BackupUnusableError, stageRestore } from "../store/backups/stage-restore.ts";
import { nodeStoreFs } from "../store/disk/store-fs.ts";
import type { KeySealer, Store } from "../store/store.ts";
import { Agenda } from "./agenda.ts";
import type { AppSettings } from "./settings.ts";

/** Not in the middle of a start. */
const FIRST_MS = 5 * 60_000;
const EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

export interface BackupsDeps {
  readonly store: Store;
  readonly dataDir: string;
  readonly sealer: KeySealer;
  readonly settings: AppSettings;
  readonly clock: Clock;
  readonly later: Later;
  readonly log: Log;
}

/** Copies of everything but media and recordings: by hand, once a day, and back again at the next start. */
export class Backups {
  readonly #deps: BackupsDeps;
  readonly #agenda: Agenda<"daily">;
  /** One change of the backups at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: BackupsDeps) {
    this.#deps = deps;
    const { clock, later } = deps;
    this.#agenda = new Agenda({ clock, later, onDue: () => void this.#daily() });
  }

  /** A backup a day from now on, while the settings want any. */
  start(): void {
    this.#agenda.set("daily", this.#deps.clock.now() + FIRST_MS);
  }

  /** After the machine slept. */
  look(): void {
    this.#agenda.look();
  }

  /** Resolves when no backup is being made. */
  async stop(): Promise<void> {
    this.#agenda.stop();
    await this.#last.catch(() => undefined);
  }

  async view(): Promise<BackupsView> {
    const { dataDir } = this.#deps;
    const [data, intent] = await Promise.all([listBackups(dataDir), readIntent(nodeStoreFs, dataDir)]);
    return { data, pending: intent?.backup ?? null };
  }

  create(): Promise<{ path: string; bytes: number }> {
    return this.#inTurn(() => this.#deps.store.backup());
  }

  /**
   * The next start puts this backup in the place of the data, which becomes a backup itself.
   * @throws GatewayError not_found; conflict when the backup is not whole
   */
  restore(name: string): Promise<BackupsView> {
    return this.#inTurn(async () => {
      const { dataDir: dir, sealer, clock, log } = this.#deps;
      await this.#require(name);
      try {
        await stageRestore({ dir, backup: name, sealer, clock });
      } catch (error) {
        if (error instanceof BackupUnusableError) throw new GatewayError("conflict", error.message, { cause: error });
        throw error;
      }
      log.info("backup.restore_staged", { backup: name });
      return this.view();
    });
  }

  /**
   * Deletes a backup for good.
   * @throws GatewayError not_found; conflict for the one that the next start restores
   */
  remove(name: string): Promise<BackupsView> {
    return this.#inTurn(async () => {
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

  /** The next start leaves the data as it is. */
  cancelRestore(): Promise<BackupsView> {
    return this.#inTurn(async () => {
      await forgetRestore(nodeStoreFs, this.#deps.dataDir);
      return this.view();
    });
  }

  /** Only names that are listed reach the disk. @throws GatewayError not_found */
  async #require(name: string): Promise<void> {
    if ((await listBackups(this.#deps.dataDir)).some((backup) => backup.name === name)) return;
    throw new GatewayError("not_found", "This backup is not in the data folder any more. Choose another one.");
  }

  async #daily(): Promise<void> {
    const { clock, log } = this.#deps;
    this.#agenda.set("daily", clock.now() + EVERY_MS);
    try {
      await this.#inTurn(() => this.#makeDaily());
    } catch (error) {
      log.warn("backup.failed", { message: messageOf(error) });
    }
  }

  async #makeDaily(): Promise<void> {
    const { store, dataDir, settings, clock, log } = this.#deps;
    const keep = settings.backupKeep;
    if (keep === null || store.frozen || !store.writable) return;
    const ours = (await listBackups(dataDir)).filter(({ kind }) => kind === "automatic");
    const newest = ours[0]?.at ?? -Infinity;
    // A clock that was set back must not make one each hour.
    if (Math.abs(clock.now() - newest) < DAY_MS) return;
    const { bytes } = await store.backup("automatic");
    log.info("backup.made", { bytes });
    for (const { name } of ours.slice(keep - 1)) await removeBackup(dataDir, name);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.catch(() => undefined).then(work);
    this.#last = done;
    return done;
  }
}
