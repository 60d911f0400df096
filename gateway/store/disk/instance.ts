import { join } from "node:path";
import * as z from "zod";
import { replaceFile, replaceWithJson } from "./atomic-file.ts";
import { errorCode, nodeStoreFs } from "./store-fs.ts";

/** Where the running instance of a data folder can be reached. */
const instanceSchema = z.object({ url: z.string(), pid: z.number().int(), startedAt: z.number() });
export type Instance = z.infer<typeof instanceSchema>;

const INSTANCE_FILE = "instance.json";
const TOKEN_FILE = "control.token";

/** Tells other processes where this one listens. Call when it does. */
export async function publishInstance(dir: string, instance: Instance): Promise<void> {
  await replaceWithJson(nodeStoreFs, join(dir, INSTANCE_FILE), instance);
}

/**
 * What the last owner of the folder published; null when nothing was, or when it cannot be read. It says nothing
 * about whether that process still runs: the lock does.
 */
export async function readInstance(dir: string): Promise<Instance | null> {
  const text = await readText(join(dir, INSTANCE_FILE));
  if (text === null) return null;
  try {
    return instanceSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Call at a clean stop, so that nobody is sent to a port that somebody else may have by then. */
export async function withdrawInstance(dir: string): Promise<void> {
  await nodeStoreFs.remove(join(dir, INSTANCE_FILE));
  await nodeStoreFs.remove(join(dir, TOKEN_FILE));
}

/** Stores the token that the `postern` command controls this instance with. A new one at each start. */
export async function writeControlToken(dir: string, token: string): Promise<void> {
  await replaceFile(nodeStoreFs, join(dir, TOKEN_FILE), (file) => file.write(Buffer.from(`${token}\n`), 0));
}

/** @returns null when there is none. */
export async function controlToken(dir: string): Promise<string | null> {
  const text = await readText(join(dir, TOKEN_FILE));
  return text === null || text.trim() === "" ? null : text.trim();
}

async function readText(path: string): Promise<string | null> {
  try {
    return (await nodeStoreFs.readWhole(path)).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
