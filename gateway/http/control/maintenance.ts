import type { AddressView } from "../../contract/address.ts";
import type { CreatedKey } from "../../contract/key.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Backups } from "../../services/backups.ts";
import type { DataKeyProtection } from "../../services/data-key-protection.ts";
import type { DataFolder } from "../../services/data-folder.ts";
import type { Diagnostics } from "../../services/diagnostics.ts";
import type { Pause } from "../../services/pause.ts";
import type { ReadState } from "../../services/read-state.ts";
import type { ControlHandlers } from "../../contract/control.ts";
import type { Sessions } from "./sessions.ts";

export interface MaintenanceDeps {
  readonly state: ReadState;
  readonly sessions: Sessions;
  readonly pause: Pause;
  readonly address: () => AddressView;
  readonly backups: Backups;
  readonly keyProtection: DataKeyProtection;
  readonly folder: DataFolder;
  readonly diagnostics: Diagnostics;
  /** Restarts, with a page token that is valid afterwards; null if Postern cannot restart itself. */
  readonly restart: ((pageToken: string) => void) | null;
  /** Null without a window. */
  readonly showWindow: ((link: string | null) => void) | null;
  readonly firstKey: () => CreatedKey | null;
}

type Maintenance =
  | "pause"
  | "resume"
  | "address"
  | "restart"
  | "showWindow"
  | "firstKey"
  | "dataFolder"
  | "backup"
  | "listBackups"
  | "restoreBackup"
  | "cancelRestore"
  | "removeBackup"
  | "keyProtection"
  | "moveToKeychain"
  | "diagnostics";

/** The response to the restart must be away before the server is. */
const RESTART_AFTER_MS = 100;

/** Handlers of the Settings page in addition to the settings themselves. */
export function createMaintenanceHandlers(deps: MaintenanceDeps): Pick<ControlHandlers, Maintenance> {
  const { state, pause, backups } = deps;
  return {
    pause: () => {
      pause.set(true);
      return state.read();
    },
    resume: () => {
      pause.set(false);
      return state.read();
    },
    address: () => deps.address(),
    restart: () => {
      const { restart, sessions } = deps;
      if (restart === null) {
        throw new GatewayError("conflict", "This Postern cannot start itself again. Stop it and start it.");
      }
      const token = sessions.makePageToken();
      setTimeout(() => restart(token), RESTART_AFTER_MS);
      return { token };
    },
    showWindow: ({ link }) => {
      deps.showWindow?.(link);
      return { shown: deps.showWindow !== null };
    },
    firstKey: () => ({ created: deps.firstKey() }),
    keyProtection: () => deps.keyProtection.view(),
    moveToKeychain: () => deps.keyProtection.move(),
    dataFolder: () => deps.folder.view(),
    backup: ({ without_key: withoutKey }) => backups.create(withoutKey),
    listBackups: () => backups.view(),
    restoreBackup: ({ name }) => backups.restore(name),
    cancelRestore: () => backups.cancelRestore(),
    removeBackup: ({ name }) => backups.remove(name),
    diagnostics: () => deps.diagnostics.offer(),
  };
}
