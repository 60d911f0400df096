import type { State } from "./contract/control.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { later } from "./lib/later.ts";
import type { LogRing } from "./lib/log-ring.ts";
import { Backups } from "./services/backups.ts";
import { DataFolder } from "./services/data-folder.ts";
import { DataKeyProtection } from "./services/data-key-protection.ts";
import type { Services } from "./services/deps.ts";
import { Diagnostics } from "./services/diagnostics.ts";
import { ListenAddress } from "./services/listen-address.ts";
import type { RestoredBackup } from "./store/backups/restore.ts";
import { nodeMediaDisk } from "./store/media/media-disk.ts";
import type { Store } from "./store/store.ts";

export interface Maintenance {
  readonly listenAddress: ListenAddress;
  readonly backups: Backups;
  readonly keyProtection: DataKeyProtection;
  readonly folder: DataFolder;
  readonly diagnostics: Diagnostics;
}

/** Makes the parts that maintain the gateway itself: listen address, backups, the data folder, diagnostics. */
export function makeMaintenance(
  options: GatewayOptions,
  { store, services, log, state }: { store: Store; services: Services; log: LogRing; state: () => State },
): Maintenance {
  const { dataDir, sealer, clock } = options;
  const { settings, secrets, notices, connections, manageConnections, manageServers, manageKeys, webhookSecret } =
    services;
  const waits = options.later ?? later;
  const disk = options.disk ?? nodeMediaDisk;
  const folder = new DataFolder(dataDir);
  const backups = new Backups({ store, dataDir, sealer, settings, notices, disk, clock, later: waits, log });
  return {
    listenAddress: new ListenAddress(options, settings),
    backups,
    keyProtection: new DataKeyProtection({ secrets: store.secrets, manageConnections, backups, notices, log }),
    folder,
    diagnostics: new Diagnostics({
      version: options.version,
      dataDir,
      clock,
      store,
      state,
      settings: () => settings.view(),
      folder: () => folder.view(),
      connections,
      secrets,
      manageConnections,
      manageServers,
      manageKeys,
      // Locked secrets cannot be given away.
      signingSecrets: () => webhookSecret.signing().catch(() => []),
      lines: () => log.lines(),
    }),
  };
}

/** Returns the notice for the owner after a restore. */
export function restoredNotice({ backup, undo }: RestoredBackup): string {
  return `The backup ${backup} was restored. What was there before is the backup ${undo}: restore that one to undo it.`;
}

/** Returns the notice for the owner after the first start of a version with another layout. */
export function upgradedNotice(undo: string): string {
  return `The data of the earlier version was brought up to date. What it was is the backup ${undo}; delete it when all is well.`;
}

/** A key of the environment that is not on the disk. @param refused why it does not work either; null: it does */
export function getEnvironmentKeyNotice(name: string, refused: string | null): string {
  if (refused !== null) return `The key "${name}" of the environment does not work on this start: ${refused}`;
  return `The key "${name}" of the environment works from memory: the data folder takes no writes. It is saved when there is room.`;
}
