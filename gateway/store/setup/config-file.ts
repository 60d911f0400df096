import { access, constants, readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { GatewayError } from "../../core/errors.ts";
import { getMessage } from "../../lib/message-of.ts";
import { errorCode } from "../disk/store-fs.ts";

const MOST_BYTES = 8 * 1024 * 1024;

/** A configuration file as it is now. */
export interface ConfigFile {
  /** Another one where the file was written, or put in its place, since. */
  readonly stamp: string;
  readonly text: string;
}

/** @throws GatewayError with a sentence; not_found without a file */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    // Before the bytes: who writes meanwhile is looked at once more.
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
 * Refuses a file that other users of this machine may write, as the data folder is: it decides about keys and limits, which
 * is the owner's. Only root reaches what is mounted read-only, and a group of the owner's number is the owner's own.
 * @throws Error with the end of a sentence
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

/** "" where there is no file. Links are followed: container platforms put another folder in the place of the one before. */
export async function getStamp(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs}`;
  } catch {
    return "";
  }
}
