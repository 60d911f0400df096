import type { Server } from "node:http";
import { messageOf } from "./lib/message-of.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { listen } from "./http/server.ts";
import { alreadyRunning } from "./neighbour.ts";
import { StoreOpenError } from "./store/folder/data-folder.ts";
import { withdrawInstance } from "./store/disk/instance.ts";
import { lockFolder } from "./store/disk/lock.ts";
import { makeFolder } from "./store/folder/make-folder.ts";
import { applyRestore } from "./store/backups/restore.ts";
import type { RestoreIntent } from "./store/backups/restore.ts";
import { nodeStoreFs } from "./store/disk/store-fs.ts";
import { openStore } from "./store/open-store.ts";
import type { OpenedStore } from "./store/open-store.ts";
import { portHolder } from "./store/disk/port-holder.ts";
import { StartError } from "./start-error.ts";

type StartOptions = Pick<GatewayOptions, "dataDir" | "sealer" | "clock" | "log" | "version">;

export interface OpenedFolder {
  readonly store: OpenedStore;
  readonly lock: { release(): void };
  /** The backup that this start has put in the place of the data; null for none. */
  readonly restored: RestoreIntent | null;
}

/** Takes the folder's lock, restores a backup where that was asked for, and opens what is in it. */
export async function openFolder(options: StartOptions): Promise<OpenedFolder> {
  const { dataDir, sealer, clock, log } = options;
  const lock = await makeFolder(dataDir)
    .then(() => lockFolder(dataDir))
    .catch((error: unknown) => {
      throw new StartError("store", `The data folder ${dataDir} cannot be used: ${messageOf(error)}`, null, error);
    });
  if (!lock.owner) throw await alreadyRunning(dataDir);
  try {
    await withdrawInstance(dataDir);
    const restored = await applyRestore(nodeStoreFs, dataDir);
    const store = await openStore({
      dir: dataDir,
      sealer,
      clock,
      log: ({ level, event, message, file }) => log[level === "warning" ? "warn" : level](event, { message, file }),
      writtenBy: `Postern ${options.version}`,
    });
    return { store, lock, restored };
  } catch (error) {
    lock.release();
    if (error instanceof StoreOpenError) throw new StartError("store", error.message, null, error);
    throw error;
  }
}

/** Listens, or says what is in the way and what to do about it. Never takes another port than was asked for. */
export async function listenOrExplain(server: Server, host: string, port: number): Promise<number> {
  try {
    return await listen(server, host, port);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EADDRINUSE") {
      const holder = await portHolder(port);
      throw new StartError(
        "port",
        `Port ${port} on ${host} is taken${holder === null ? "" : ` by ${holder}`}. Stop that program, or choose another port: npm start -- --port ${port + 1} (or POSTERN_PORT).`,
        null,
        error,
      );
    }
    if (code === "EACCES")
      throw new StartError(
        "port",
        `Port ${port} may not be used by this user. Choose one above 1023: npm start -- --port 6174.`,
        null,
        error,
      );
    throw new StartError("port", `Cannot listen on ${host}:${port}: ${messageOf(error)}`, null, error);
  }
}
