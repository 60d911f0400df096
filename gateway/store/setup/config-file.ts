import { access, constants, readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { GatewayError } from "../../core/errors.ts";
import { getMessage } from "../../lib/message-of.ts";
import { errorCode } from "../disk/store-fs.ts";

const MOST_BYTES = 8 * 1024 * 1024;

/** A configuration file as it is now. */
export interface ConfigFile {
  /** Changes when the file is written or replaced. */
  readonly stamp: string;
  readonly text: string;
}

/** @throws GatewayError with a sentence; not_found without a file */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    // Taken before the bytes, so that a concurrent write is detected at the next check.
    const stamp = await getStamp(path);
    const { size } = await stat(path);
    const real = await realpath(path);
    for (const place of new Set([real, dirname(real), dirname(path)])) await requireSafe(place);
    if (size > MOST_BYTES) throw new Error("it has more than 8 MiB");
    return { stamp, text: await readFile(path, "utf8") };
  } catch (error) {
    const code = errorCode(error);
    const isMissing = code === "ENOENT";
    const why = isMissing ? "there is no such file" : code === "" ? getMessage(error) : code;
    throw new GatewayError(isMissing ? "not_found" : "invalid_value", `It cannot be read: ${why}.`, { cause: error });
  }
}

/**
 * Refuses a file that other users of this machine may write, because it defines keys and limits. Only root can change a
 * read-only mount, and a group with the owner's id is private.
 * @throws Error with the end of a sentence as its message
 */
async function requireSafe(path: string): Promise<void> {
  const user = process.getuid?.();
  if (user === undefined) return;
  const { uid, gid, mode } = await stat(path);
  const others = uid === user && gid === user && user !== 0 ? 0o002 : 0o022;
  const isSticky = (mode & constants.S_IFMT) === constants.S_IFDIR && (mode & 0o1000) !== 0;
  const isForeign = uid !== user && uid !== 0;
  if (!isForeign && ((mode & others) === 0 || isSticky)) return;
  const isReadOnly = await access(path, constants.W_OK).then(
    () => false,
    (error: unknown) => errorCode(error) === "EROFS",
  );
  if (isReadOnly) return;
  throw new Error(
    isForeign
      ? `${path} belongs to another user (id ${uid}; Postern runs as ${user}), who could change keys and limits. Give it to this user or to root with chown, or mount it read-only`
      : `other users of this machine can write ${path} (mode ${(mode & 0o7777).toString(8)}) and change keys and limits. Close it with chmod go-w`,
  );
}

/** Empty if there is no file. Links are followed, because container platforms replace the folder. */
export async function getStamp(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs}`;
  } catch {
    return "";
  }
}
