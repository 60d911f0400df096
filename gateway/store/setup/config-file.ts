import { readFile, stat } from "node:fs/promises";
import { messageOf } from "../../lib/message-of.ts";
import { errorCode } from "../disk/store-fs.ts";

const MOST_BYTES = 8 * 1024 * 1024;

/** A configuration file as it is now. */
export interface ConfigFile {
  /** Another one where the file was written, or put in its place, since. */
  readonly stamp: string;
  readonly text: string;
}

/** @throws Error with a sentence */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    // Before the bytes: who writes meanwhile is looked at once more.
    const stamp = await stampOf(path);
    const { size } = await stat(path);
    if (size > MOST_BYTES) throw new Error("it has more than 8 MiB");
    return { stamp, text: await readFile(path, "utf8") };
  } catch (error) {
    const code = errorCode(error);
    const why = code === "ENOENT" ? "there is no such file" : code === "" ? messageOf(error) : code;
    throw new Error(`It cannot be read: ${why}.`, { cause: error });
  }
}

/** "" where there is no file. Links are followed: container platforms put another folder in the place of the one before. */
export async function stampOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs}`;
  } catch {
    return "";
  }
}
