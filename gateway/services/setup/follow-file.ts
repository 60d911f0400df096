import type { Setup } from "../../contract/setup.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { readConfigFile, getStamp } from "../../store/setup/config-file.ts";
import { referenceValues } from "../../store/setup/reference-values.ts";
import type { Store } from "../../store/store.ts";
import { StoreWriteError } from "../../store/store.ts";
import type { EnvironmentConfig } from "../connections/environment.ts";
import type { Notices } from "../notices.ts";
import type { ManageSetup } from "./manage-setup.ts";
import { readSetupFile } from "./setup-files.ts";

const LOOK_EVERY_MS = 2_000;
const WATCHED = "Set that right: the file is applied within two seconds.";
const UNWATCHED = "Set that right and start Postern again, or start it with --watch.";

export interface FollowFileDeps {
  readonly config: EnvironmentConfig;
  readonly setup: Pick<ManageSetup, "read" | "apply">;
  readonly store: Pick<Store, "secrets">;
  readonly notices: Pick<Notices, "offer" | "takeBack">;
  readonly later: Later;
  readonly log: Log;
}

/**
 * The configuration file given at start: applied at each start and, if enabled, whenever it changes. It adds and
 * changes records; others stay. Provider keys are not tested first, because providers may be unreachable.
 */
export class FollowFile {
  readonly #deps: FollowFileDeps;
  #stamp = "";
  #notice: string | null = null;
  #cancel: (() => void) | null = null;
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: FollowFileDeps) {
    this.#deps = deps;
  }

  /** Applies the file once; any problem with it or the disk becomes a notice and does not prevent the start. */
  async first(): Promise<void> {
    try {
      await this.#apply();
    } catch (error) {
      if (error instanceof StoreWriteError) this.#tell(error.message);
      // A service that exits would be restarted again and again until the file is valid.
      else if (error instanceof GatewayError)
        this.#tell(`${error.message} ${this.#deps.config.watch ? WATCHED : UNWATCHED}`);
      else throw error;
    }
  }

  /** Looks whether the file is another, until it is stopped. */
  start(): void {
    if (!this.#deps.config.watch || this.#stopped) return;
    this.#cancel = this.#deps.later(LOOK_EVERY_MS, () => {
      this.#looking = this.#look().finally(() => this.start());
    });
  }

  /** Resolves when nothing of it is being applied. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const stamp = await getStamp(this.#deps.config.path);
    if (stamp === this.#stamp || this.#stopped) return;
    this.#stamp = stamp;
    try {
      await this.#apply();
      if (this.#notice !== null) this.#deps.notices.takeBack(this.#notice);
      this.#notice = null;
    } catch (error) {
      if (!(error instanceof GatewayError || error instanceof StoreWriteError)) throw error;
      this.#tell(error.message);
    }
  }

  /** Said once for each state of the file. */
  #tell(message: string): void {
    const { notices } = this.#deps;
    if (this.#notice !== null) notices.takeBack(this.#notice);
    this.#notice = notices.offer("warning", message);
  }

  async #apply(): Promise<void> {
    const { config, setup, store, log } = this.#deps;
    const { locked } = store.secrets;
    if (locked !== null) throw new StoreWriteError(`${config.path} was not applied: ${locked}`);
    try {
      const { stamp, text } = await readConfigFile(config.path);
      this.#stamp = stamp;
      const { passphrase } = config;
      const values = await referenceValues(text, config.variables);
      const { setup: requested } = await readSetupFile({ text, values, ...(passphrase !== null && { passphrase }) });
      this.#refuseUntold(requested);
      const wish = { setup: requested, prune: false, partial: false };
      const { changes } = await setup.apply(wish, { source: "followed", token: null, test_keys: false });
      if (changes.length > 0) log.info("config.applied", { path: config.path, records: changes.length });
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      throw new GatewayError(error.code, `${config.path} was not applied, and nothing of it. ${error.message}`);
    }
  }

  /** Throws for a key without a hash or secret: a key generated here could not be shown. */
  #refuseUntold({ keys = [] }: Setup): void {
    const known = new Set((this.#deps.setup.read().keys ?? []).map(({ name }) => name));
    const untold = keys.find(({ name, sha256, secret }) => (sha256 ?? secret) === undefined && !known.has(name));
    if (untold === undefined) return;
    throw new GatewayError(
      "missing_required_parameter",
      `The key "${untold.name}" needs 'sha256' or 'secret': nobody would learn of a key that is made for it.`,
    );
  }
}
