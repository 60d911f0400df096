import type { Machine } from "../../core/clients/place.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ClientFiles } from "../../store/clients/client-files.ts";
import type { Store } from "../../store/store.ts";
import type { ProviderClient } from "../../upstream/provider-client.ts";
import type { Connections } from "../connections/connections.ts";
import type { Events } from "../events.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { ManageKeys } from "../keys/manage-keys.ts";
import type { ListControlModels } from "../models/list-control-models.ts";
import type { QueryUsage } from "../query-usage.ts";

export interface ClientDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly manageKeys: ManageKeys;
  readonly usage: QueryUsage;
  readonly connections: Connections;
  readonly listControlModels: ListControlModels;
  readonly providerClient: ProviderClient;
  readonly events: Events;
  readonly clientFiles: ClientFiles;
  readonly machine: Machine;
  /** Postern's own address. */
  readonly origin: () => string;
}

/** Facts of this machine for locating clients' files. */
export function thisMachine(env: Readonly<Record<string, string | undefined>>): Machine {
  const platform = process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux";
  const home = (platform === "win32" ? env["USERPROFILE"] : env["HOME"])?.trim() ?? "";
  return { platform, home: home === "" ? null : home, env };
}
