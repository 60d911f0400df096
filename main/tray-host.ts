import { connect, type Socket } from "node:net";
import { getBoolean, createBusCall, getBusSocket, readBus, type BusCall } from "./policy/bus-message.ts";

/** Whether the desktop has a place for icons, which can come after Postern and go before it. */
export interface TrayHostWatch {
  readonly isThere: () => boolean;
  /** Calls back when a tray appears for the first time. Electron itself tracks later changes. */
  onFirst(listener: () => void): void;
  end(): void;
}

export interface TrayHostOptions {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** The numeric user id; undefined on Windows. */
  readonly user: number | undefined;
}

const WATCHER = "org.kde.StatusNotifierWatcher";
/** Timeout in milliseconds, after which the bus counts as absent. */
const FIRST_RESPONSE_MS = 1_000;

const bus = { destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus" };
const CALLS: readonly Omit<BusCall, "serial">[] = [
  { ...bus, member: "Hello", args: [] },
  { ...bus, member: "AddMatch", args: [`type='signal',sender='org.freedesktop.DBus',arg0='${WATCHER}'`] },
  { ...bus, member: "AddMatch", args: [`type='signal',interface='${WATCHER}'`] },
];
const QUESTION: Omit<BusCall, "serial"> = {
  destination: WATCHER,
  path: "/StatusNotifierWatcher",
  interface: "org.freedesktop.DBus.Properties",
  member: "Get",
  args: [WATCHER, "IsStatusNotifierHostRegistered"],
};

/**
 * Watches for the tray of a Linux desktop on the session bus: an icon created before the tray exists is never shown,
 * and a desktop may have no tray. macOS and Windows always have one.
 * @returns once it is known whether there is one.
 */
export async function watchTrayHost(options: TrayHostOptions): Promise<TrayHostWatch> {
  const path = options.platform === "linux" ? getBusSocket(options.env) : null;
  if (path === null)
    return { isThere: () => options.platform !== "linux", onFirst: () => undefined, end: () => undefined };
  let isThere = false;
  let wasThere = false;
  let onFirst = (): void => undefined;
  const socket = connect(path);
  const { promise: known, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, FIRST_RESPONSE_MS);
  // Without its bus the desktop session is over, so errors are ignored.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isThere = false;
    resolve();
  });
  talk(socket, options.user ?? 0, (found) => {
    isThere = found;
    resolve();
    if (!found || wasThere) return;
    wasThere = true;
    onFirst();
  });
  await known;
  clearTimeout(timer);
  return {
    isThere: () => isThere,
    onFirst: (listener) => (onFirst = listener),
    end: () => socket.destroy(),
  };
}

/** Asks once, and again after each signal. */
function talk(socket: Socket, user: number, onResponse: (isThere: boolean) => void): void {
  let serial = 0;
  let isIn = false;
  let rest: Buffer = Buffer.alloc(0);
  const send = (call: Omit<BusCall, "serial">): void => {
    serial += 1;
    socket.write(createBusCall({ ...call, serial }));
  };
  const readGreeting = (): void => {
    const end = rest.indexOf("\r\n");
    if (end === -1) return;
    if (!rest.subarray(0, end).toString("latin1").startsWith("OK ")) {
      socket.destroy();
      return;
    }
    rest = rest.subarray(end + 2);
    isIn = true;
    socket.write("BEGIN\r\n");
    for (const call of [...CALLS, QUESTION]) send(call);
  };
  socket.on("connect", () => socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(user)).toString("hex")}\r\n`));
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    if (!isIn) readGreeting();
    if (!isIn) return;
    try {
      const read = readBus(rest);
      rest = read.rest;
      for (const message of read.messages) {
        if (message.kind === "signal") send(QUESTION);
        // An error means that the name has no owner.
        const found = message.kind === "error" ? false : getBoolean(message);
        if (found !== null) onResponse(found);
      }
    } catch {
      socket.destroy();
    }
  });
}
