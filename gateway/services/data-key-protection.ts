import type { ConnectionView } from "../contract/connection.ts";
import type { Notice } from "../contract/notice.ts";
import type { KeyProtectionView } from "../contract/maintenance.ts";
import { GatewayError } from "../core/errors.ts";
import type { Log } from "../lib/log.ts";
import { StoreWriteError } from "../store/store.ts";
import type { Secrets } from "../store/store.ts";
import type { Backups } from "./backups.ts";
import type { ManageConnections } from "./connections/manage-connections.ts";
import type { Notices } from "./notices.ts";

export interface DataKeyProtectionDeps {
  readonly secrets: Secrets;
  readonly manageConnections: Pick<ManageConnections, "list">;
  readonly backups: Backups;
  readonly notices: Notices;
  readonly log: Log;
}

/** Reports how the data key of the provider keys is encrypted, and moves it to the keychain. */
export class DataKeyProtection {
  readonly #deps: DataKeyProtectionDeps;
  /** Ids of the notices shown last. */
  #reported: readonly string[] = [];

  constructor(deps: DataKeyProtectionDeps) {
    this.#deps = deps;
  }

  /** Shows the current notices in place of the previous ones. */
  tell(): void {
    const { notices } = this.#deps;
    for (const id of this.#reported) notices.takeBack(id);
    this.#reported = this.#news().map(([level, message]) => notices.offer(level, message));
  }

  /** Called when a keychain that did not respond before does now; secrets that it decrypts are used from now on. */
  async reopen(): Promise<void> {
    const { secrets, backups } = this.#deps;
    try {
      await backups.pauseDuring(() => secrets.reopen());
      this.tell();
    } catch (error) {
      // No caller needs the keys while Postern stops.
      if (!(error instanceof GatewayError)) throw error;
    }
  }

  view(): KeyProtectionView {
    const { locked, protection } = this.#deps.secrets;
    const { encryptedBy, keychain, movable } = protection;
    return { encrypted_by: [...encryptedBy], keychain, can_move: movable, locked };
  }

  /** @throws GatewayError conflict if there is nothing to move, or no target; storage_unavailable; shutting_down */
  move(): Promise<KeyProtectionView> {
    const { secrets, backups, log } = this.#deps;
    return backups.pauseDuring(async () => {
      if (!secrets.protection.movable) throw new GatewayError("conflict", NOTHING_TO_MOVE);
      await secrets.moveToKeychain().catch((error: unknown) => {
        throw error instanceof StoreWriteError
          ? new GatewayError("storage_unavailable", error.message, { cause: error })
          : error;
      });
      log.info("keychain.moved", { keychain: secrets.protection.keychain });
      this.tell();
      return this.view();
    });
  }

  #news(): readonly (readonly [Notice["level"], string])[] {
    const { secrets, manageConnections } = this.#deps;
    const { keychain, movable, moved, moveFailure } = secrets.protection;
    const locked = lockedNotice(manageConnections.list(), secrets.locked);
    const news: (readonly [Notice["level"], string])[] = [];
    if (locked !== null) news.push(["warning", locked]);
    if (moveFailure !== null) news.push(["warning", notMoved(moveFailure)]);
    else if (movable && keychain !== null) news.push(["info", getOffer(keychain)]);
    if (moved && keychain !== null) news.push(["info", movedTo(keychain)]);
    return news;
  }
}

const NOTHING_TO_MOVE =
  "There is nothing to move: either no keychain answers on this start, or it encrypts the provider keys already.";

const getOffer = (keychain: string): string =>
  "The provider keys of this data folder are encrypted with its key file, which starts without a desktop open too. The " +
  `keychain (${keychain}) answers now: move them to it under Settings, Data.`;

const movedTo = (keychain: string): string =>
  `The provider keys of this data folder and its backups are encrypted with the keychain (${keychain}) now, which did ` +
  "not answer before. Starts without a desktop cannot open them.";

const notMoved = (reason: string): string =>
  `The provider keys could not be moved to another protection: ${reason.replace(/\.$/, "")}. They are encrypted as ` +
  "before, and the next start tries again.";

/** Which provider keys cannot be opened on this start, why, and what to do; null when all can. */
function lockedNotice(connections: readonly ConnectionView[], why: string | null): string | null {
  const names = connections.flatMap(({ name, credentials }) => {
    const hints = credentials.filter(({ state }) => state === "locked").map(({ hint }) => hint);
    return hints.length === 0 ? [] : [`${name} (${hints.join(", ")})`];
  });
  return why === null || names.length === 0 ? null : `Locked: ${names.join(", ")}. ${why}`;
}
