import { readFile, readdir, readlink } from "node:fs/promises";

/** Listening sockets in `/proc/net/tcp*`. */
const LISTEN = "0A";

/**
 * Which process listens on a TCP port, as `name (pid 123)`; null where that cannot be known (other systems, other
 * users' processes).
 */
export async function portHolder(port: number): Promise<string | null> {
  if (process.platform !== "linux") return null;
  try {
    const inodes = new Set<string>();
    for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
      for (const inode of listeningInodes(await readFile(table, "utf8").catch(() => ""), port))
        inodes.add(`socket:[${inode}]`);
    }
    if (inodes.size === 0) return null;
    for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
      if (await hasOneOf(pid, inodes)) return `${await processName(pid)} (pid ${pid})`;
    }
  } catch {
    // /proc may be restricted: then it is simply not known.
  }
  return null;
}

function listeningInodes(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTEN && fields[1]?.endsWith(suffix) === true)
    .map((fields) => fields[9] ?? "");
}

async function hasOneOf(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "")));
  return targets.some((target) => sockets.has(target));
}

async function processName(pid: string): Promise<string> {
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const name = command.split("\0")[0]?.split("/").at(-1) ?? "";
  return name === "" ? "another program" : name;
}
