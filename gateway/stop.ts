import type { Server } from "node:http";
import type { Server as NetServer } from "node:net";
import { GatewayError } from "./core/errors.ts";
import type { OpenResponses } from "./http/open-responses.ts";
import { within } from "./lib/within.ts";
import type { LazyMcp } from "./mcp/lazy-mcp.ts";
import type { Log } from "./lib/log.ts";
import type { Backups } from "./services/backups.ts";
import type { Services } from "./services/deps.ts";
import { withdrawInstance } from "./store/disk/instance.ts";
import type { Store } from "./store/store.ts";

/** docs/specification.md#start-and-stop: "drain up to 5 s". */
const DRAIN_MS = 5_000;
const DRAIN_STEP_MS = 20;
/** Milliseconds for aborted streams to write their receipts. */
const LAST_WORDS_MS = 1_000;

export interface StopDeps {
  readonly server: Server;
  /** Listens on the other loopback address for it. */
  readonly twin: NetServer | null;
  readonly answering: OpenResponses;
  readonly services: Services;
  readonly backups: Pick<Backups, "stop">;
  readonly mcp: Pick<LazyMcp, "quiet" | "close">;
  readonly store: Store;
  readonly lock: { release(): void };
  readonly dataDir: string;
  readonly log: Log;
  /** Max milliseconds for running calls; by default by the contract. */
  readonly drainMs?: number | undefined;
}

/**
 * Stops accepting, drains, settles, writes the last snapshot, releases the folder. Nothing new starts after the call,
 * nothing is sent after draining, and nothing is written once it resolves.
 */
export async function stopGateway(deps: StopDeps): Promise<void> {
  const { server, twin, answering, services, backups, mcp, store, lock, dataDir, log } = deps;
  services.stopping.abort();
  services.localServers.stop();
  services.clockWatch.stop();
  services.updateNotice.stop();
  mcp.quiet();
  const tasks = services.videoEngine.stop();
  const callbacks = services.webhooks.stop();
  const prices = services.priceLists.stop();
  const credit = services.credit.stop();
  const file = services.followFile?.stop();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  twin?.close();
  server.closeIdleConnections();
  if (!(await waitUntilDrained(services, answering, deps.drainMs ?? DRAIN_MS))) {
    services.watch.stopAll(new GatewayError("shutting_down", "Postern was stopped in the middle of this response."));
    await closeClients(services);
    await waitUntilDrained(services, answering, LAST_WORDS_MS);
  }
  await within(mcp.close(), LAST_WORDS_MS);
  server.closeAllConnections();
  await closed;
  await closeClients(services);
  await waitUntilDrained(services, answering, LAST_WORDS_MS);
  // Every receipt of a call is there by now.
  await within(services.telemetry.flush(), LAST_WORDS_MS);
  services.telemetry.end();
  await within(Promise.all([tasks, callbacks, prices, credit, file, services.discovery.idle()]), LAST_WORDS_MS);
  await backups.stop();
  await within(services.importHistory.close(), LAST_WORDS_MS);
  await services.media.close();
  await services.taskRepository.close();
  await within(services.recorder.stop(), LAST_WORDS_MS);
  await services.sandboxHost.close();
  try {
    await store.close();
    log.info("stopped");
  } finally {
    await withdrawInstance(dataDir);
    lock.release();
    log.flush();
  }
}

/** Aborts all other requests to and from the gateway; webhooks have a separate HTTP client, which ends with them. */
async function closeClients({ providerClient, downloader }: Services): Promise<void> {
  downloader.close();
  await providerClient.close();
}

/** A call is charged before its last byte is sent: only after that may connections be closed. */
async function waitUntilDrained(services: Services, answering: OpenResponses, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (services.admission.inFlight > 0 || answering.count > 0) {
    if (performance.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, DRAIN_STEP_MS));
  }
  return true;
}
