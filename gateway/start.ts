import { createServer, type Server } from "node:http";
import type { AddressInfo, Server as NetServer } from "node:net";
import { later } from "./lib/later.ts";
import { getMessage } from "./lib/message-of.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { listen, openListener } from "./http/server.ts";
import { alreadyRunning } from "./running-instance.ts";
import { StoreOpenError, openError, tryToWrite } from "./store/folder/data-folder.ts";
import { publishInstance, withdrawInstance, writeControlToken } from "./store/disk/instance.ts";
import type { Instance } from "./store/disk/instance.ts";
import { lockFolder } from "./store/disk/lock.ts";
import { makeFolder } from "./store/folder/make-folder.ts";
import { tidyFolder } from "./store/folder/tidy-folder.ts";
import { applyRestore } from "./store/backups/restore.ts";
import type { RestoredBackup } from "./store/backups/restore.ts";
import { upgradeFolder } from "./store/backups/stage-restore.ts";
import { nodeMediaDisk } from "./store/media/media-disk.ts";
import { openingStoreFs } from "./store/disk/opening-fs.ts";
import { errorCode, nodeStoreFs } from "./store/disk/store-fs.ts";
import { openStore } from "./store/open-store.ts";
import type { OpenedStore } from "./store/open-store.ts";
import { Quarantine } from "./store/quarantine.ts";
import { storeLogTo } from "./store/store-event.ts";
import { portHolder } from "./store/disk/port-holder.ts";
import type { Notices } from "./services/notices.ts";
import { StartError } from "./start-error.ts";
import { ownStart } from "./store/folder/own-command.ts";

const NOT_PUBLISHED =
  "Postern could not write down where it listens, so the postern command and a second start do not find it. It tries " +
  "again until the data folder can be written.";
const PUBLISH_AGAIN_MS = 1_000;

type StartOptions = Pick<GatewayOptions, "dataDir" | "sealer" | "clock" | "log" | "version" | "disk">;

export interface OpenedFolder {
  readonly store: OpenedStore;
  readonly lock: { release(): void };
  /** Backup that this start has restored; null for none. */
  readonly restored: RestoredBackup | null;
  /** Backup of the data before this version upgraded it; null for none. */
  readonly upgraded: string | null;
}

/** Takes the folder's lock, restores a scheduled backup, upgrades the data, and opens it. */
export async function openFolder(options: StartOptions): Promise<OpenedFolder> {
  const { dataDir, sealer, clock, log } = options;
  const refuse = (error: unknown): never => {
    throw cannotOpen(dataDir, error);
  };
  const exposed = await makeFolder(dataDir).catch(refuse);
  const lock = await lockFolder(dataDir).catch(refuse);
  if (!lock.owner) throw await alreadyRunning(dataDir);
  try {
    const tell = storeLogTo(log);
    const { fs, opened } = openingStoreFs();
    const quarantine = new Quarantine(fs, dataDir, clock, tell);
    if (exposed !== null) quarantine.tell("exposed", exposed, null, dataDir);
    await tidyFolder(fs, dataDir, quarantine);
    await withdrawInstance(dataDir, fs);
    const restored = await applyRestore(fs, dataDir);
    const disk = options.disk ?? nodeMediaDisk;
    const freeBytes = (folder: string): Promise<number> => disk.freeBytes(folder);
    const upgraded = await upgradeFolder(fs, dataDir, { clock, freeBytes });
    const store = await openStore({
      dir: dataDir,
      sealer,
      clock,
      fs,
      log: tell,
      quarantine,
      writtenBy: `Postern ${options.version}`,
    });
    opened();
    return { store, lock, restored, upgraded };
  } catch (error) {
    lock.release();
    throw cannotOpen(dataDir, error);
  }
}

/** Finds out whether the folder can be written. @throws StartError of the kind `store`. */
export async function checkWritable(dataDir: string): Promise<void> {
  await tryToWrite(nodeStoreFs, dataDir).catch((error: unknown) => {
    throw cannotOpen(dataDir, error);
  });
}

/** A refusal of the disk as a sentence; a mistake of ours stays one. */
function cannotOpen(dataDir: string, error: unknown): unknown {
  if (!(error instanceof StoreOpenError) && errorCode(error) === "") return error;
  return new StartError("store", openError(dataDir, error).message, null, error);
}

/** Listens, or throws an error that explains the conflict and the remedy. Never uses another port than requested. */
export async function listenOrExplain(server: Server, host: string, port: number): Promise<number> {
  try {
    return await listen(server, host, port);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EADDRINUSE") {
      const by = await portHolder(port);
      const freePort = await findFreePort(host, port);
      throw new StartError(
        "port",
        `Port ${port} on ${host} is taken${by === null ? "" : ` by ${by}`}. Stop that program, or choose another port: ${ownStart(`--port ${freePort}`)} (or POSTERN_PORT).`,
        null,
        error,
        { by, port, freePort },
      );
    }
    if (code === "EACCES")
      throw new StartError(
        "port",
        `Port ${port} may not be used by this user. Choose one above 1023: ${ownStart("--port 6174")}.`,
        null,
        error,
      );
    throw new StartError("port", `Cannot listen on ${host}:${port}: ${getMessage(error)}`, null, error);
  }
}

/** Max ports after a taken one that are tried. */
const PORTS_TRIED = 20;

/** Returns the next free port; the very next one if the first twenty are all taken. */
async function findFreePort(host: string, taken: number): Promise<number> {
  for (let port = taken + 1; port <= Math.min(taken + PORTS_TRIED, 65_535); port++) {
    const probe = createServer();
    const isFree = await listen(probe, host, port).then(
      () => true,
      () => false,
    );
    probe.close();
    if (isFree) return port;
  }
  return taken + 1;
}

/**
 * Listens on the other loopback address too. If localhost resolves to `::1` first, as on Windows, a client loses up to
 * two seconds per connection if nothing listens there (urschrei/pyzotero#374, fastify/fastify#1022, read 2026-11-28),
 * and another program listening there would receive its key.
 * @param notices reports a failure, which does not prevent the start
 * @returns null if unwanted or impossible
 */
export async function listenOnBothLoopbacks(
  server: Server,
  host: string,
  port: number,
  notices: Pick<Notices, "add">,
): Promise<NetServer | null> {
  const { address } = server.address() as AddressInfo;
  if (host !== "localhost" && address !== "127.0.0.1" && address !== "0.0.0.0") return null;
  const [other, shown] = address === "::1" ? ["127.0.0.1", "127.0.0.1"] : ["::1", "[::1]"];
  try {
    return await openListener(server, other, port);
  } catch (error) {
    const isTaken = errorCode(error) === "EADDRINUSE";
    const holder = isTaken ? ((await portHolder(port, process.pid)) ?? "another program") : "";
    if (isTaken)
      notices.add(
        "warning",
        `Port ${port} on ${shown} is taken by ${holder}: apps that call localhost may reach that program and give it their key. Stop it and restart Postern, or write ${address}:${port} into the apps.`,
      );
    else
      notices.add(
        "info",
        `Postern cannot listen on ${shown} (${getMessage(error)}). Apps reach it at ${address}:${port}.`,
      );
    return null;
  }
}

/**
 * Publishes this address to other programs of this user. A failed write does not prevent the start: it is retried while
 * the server listens.
 * @param token token of the `postern` command
 * @param refused called once with a message if it must be retried
 */
export async function publish(
  server: Server,
  dataDir: string,
  token: string,
  instance: Instance,
  refused: (message: string) => void,
): Promise<void> {
  try {
    await Promise.all([writeControlToken(dataDir, token), publishInstance(dataDir, instance)]);
  } catch {
    refused(NOT_PUBLISHED);
    later(PUBLISH_AGAIN_MS, () => {
      if (server.listening) void publish(server, dataDir, token, instance, () => undefined);
    });
  }
}
