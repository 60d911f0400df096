import { readFile, readdir, readlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { readInstance } from "./instance.ts";
import { LOCK_FILE } from "./lock.ts";

/** Listening sockets in `/proc/net/tcp*`. */
const LISTEN = "0A";

/**
 * Returns which process listens on a TCP port, as `name (pid 123)`, for another Postern with its data folder; null if
 * unknown (other systems, other users' processes).
 * @param except a process to ignore
 */
export async function portHolder(port: number, except?: number): Promise<string | null> {
  if (process.platform !== "linux") return null;
  try {
    const inodes = new Set((await listeners(port))?.map(({ inode }) => `socket:[${inode}]`));
    if (inodes.size === 0) return null;
    for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
      if (Number(pid) === except) continue;
      const opened = await listOpened(pid);
      if (opened.some((target) => inodes.has(target))) return await describeProcess(pid, opened);
    }
  } catch {
    // /proc may be restricted: then it is simply not known.
  }
  return null;
}

/** A user of this machine. */
export interface MachineUser {
  readonly uid: number;
  /** Null if the system has no name for it. */
  readonly name: string | null;
}

/**
 * Returns the user whose program accepts connections on 127.0.0.1 and this port: undefined if none listens, null if the
 * system does not report it.
 */
export async function portUser(port: number): Promise<MachineUser | null | undefined> {
  if (process.platform !== "linux") return null;
  const found = await listeners(port);
  if (found === null) return null;
  // The kernel prefers the listener with the exact address.
  const taker = LOOPBACK_FIRST.flatMap((addresses) => found.find(({ address }) => addresses.has(address)) ?? [])[0];
  if (taker === undefined) return undefined;
  return { uid: taker.uid, name: await userName(taker.uid) };
}

/** Addresses as the tables write them: IPv4 and IPv6, 127.0.0.1 in the byte order of either kind of machine, and all. */
const LOOPBACK_FIRST: readonly ReadonlySet<string>[] = [
  new Set(["0100007F", "7F000001"]),
  new Set(["00000000"]),
  new Set(["0000000000000000FFFF00000100007F", "00000000000000000000FFFF7F000001"]),
  new Set(["00000000000000000000000000000000"]),
];

interface Listener {
  readonly address: string;
  readonly uid: number;
  readonly inode: string;
}

/** Null if the tables are unreadable. */
async function listeners(port: number): Promise<readonly Listener[] | null> {
  const suffix = port.toString(16).toUpperCase().padStart(4, "0");
  const paths = ["/proc/net/tcp", "/proc/net/tcp6"];
  const tables = await Promise.all(paths.map((path) => readFile(path, "utf8").catch(() => "")));
  if (tables.every((table) => table === "")) return null;
  return tables.flatMap((table) =>
    table.split("\n").flatMap((line) => {
      const fields = line.trim().split(/\s+/);
      const [address = "", at] = fields[1]?.split(":") ?? [];
      return fields[3] === LISTEN && at === suffix ? [{ address, uid: Number(fields[7]), inode: fields[9] ?? "" }] : [];
    }),
  );
}

async function userName(uid: number): Promise<string | null> {
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  for (const line of users.split("\n")) {
    const [name = "", , id] = line.split(":");
    if (name !== "" && id === String(uid)) return name;
  }
  return null;
}

/** Files and sockets that a process has open. */
async function listOpened(pid: string): Promise<readonly string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return Promise.all(descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "")));
}

async function describeProcess(pid: string, opened: readonly string[]): Promise<string> {
  for (const path of opened) {
    if (basename(path) !== LOCK_FILE) continue;
    const instance = await readInstance(dirname(path)).catch(() => null);
    if (instance?.pid === Number(pid)) return `another Postern (pid ${pid}, data folder ${dirname(path)})`;
  }
  return `${await processName(pid)} (pid ${pid})`;
}

async function processName(pid: string): Promise<string> {
  // Electron rewrites its command line with blanks between the words, so the executable comes first.
  const executable = await readlink(`/proc/${pid}/exe`).catch(() => "");
  if (executable !== "")
    return (
      executable
        .replace(/ \(deleted\)$/, "")
        .split("/")
        .at(-1) ?? ""
    );
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const name = command.split("\0")[0]?.split("/").at(-1) ?? "";
  return name === "" ? "another program" : name;
}
