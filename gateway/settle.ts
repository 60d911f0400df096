import type { CreatedKey } from "./contract/key.ts";
import { GatewayError } from "./core/errors.ts";
import { getEnvironmentKeyNotice } from "./make-maintenance.ts";
import type { Environment } from "./services/connections/environment.ts";
import type { Services } from "./services/deps.ts";
import type { OpenedStore } from "./store/open-store.ts";
import { StoreWriteError } from "./store/store.ts";

/**
 * Puts the folder in order before the first request: unknown outcomes, keys and connections of the environment.
 */
export async function settle(services: Services, environment: Environment): Promise<void> {
  for (const problem of environment.problems) services.notices.add("warning", problem);
  const earlier = await services.manageServers.forgetEarlier();
  if (earlier !== null) services.notices.add("info", earlier);
  services.telemetry.start();
  services.unfinished.settle();
  await services.priceLists.open();
  for (const connection of environment.connections) {
    try {
      await services.manageConnections.addFromEnvironment(connection);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      services.notices.add(
        "warning",
        `The connection ${connection.name} of the environment was ignored: ${error.message}${
          error.details.param === "allow_http" ? ` For that, set ${connection.prefix}_ALLOW_HTTP=on.` : ""
        }`,
      );
    }
  }
  for (const { secret, input } of environment.keys) {
    const saved = await services.manageKeys.ensure(input, secret).catch(getReasonNotSaved);
    if (saved !== true) services.notices.add("warning", getEnvironmentKeyNotice(input.name, saved || null));
  }
  for (const name of await services.manageKeys.disableOthers(environment.keys.map(({ secret }) => secret)))
    services.notices.add(
      "warning",
      `The environment does not name the key "${name}" any more, so it was switched off. What it spent is kept.`,
    );
  await services.followFile?.first();
  void services.sandboxHost.ensure();
  // Restores the holds of tasks on their keys' money before the first request.
  await services.videoEngine.start();
}

/**
 * Creates the first key of a new data folder; null if not needed, because a set-up has keys, or if the disk refuses it,
 * which a notice reports.
 */
export async function makeFirstKey(services: Services, store: OpenedStore): Promise<CreatedKey | null> {
  if (!store.fresh || [...store.document.keys.values()].some(({ origin }) => origin === "created")) return null;
  const first = await services.manageKeys.create({ name: "First key" }, "first").catch(getReasonNotSaved);
  if (typeof first !== "string") return first;
  services.notices.add("warning", `No first key was made: ${first} Make one on the Keys page when there is room.`);
  return null;
}

/** Returns the reason of a disk that refuses writes, which does not stop a start. */
function getReasonNotSaved(error: unknown): string {
  if (error instanceof StoreWriteError) return error.message;
  throw error;
}

/** When the last call of all was charged, Unix milliseconds; null when none was. */
export function findLastUse({ document }: OpenedStore): number | null {
  let last: { readonly n: number; readonly last_used_at: number } | null = null;
  for (const row of document.spend.values()) if (last === null || row.n > last.n) last = row;
  return last?.last_used_at ?? null;
}
