import { createHash, createHmac } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { parseJson, replaceFile, replaceWithJson } from "./atomic-file.ts";
import { errorCode, nodeStoreFs } from "./store-fs.ts";
import type { StoreFs } from "./store-fs.ts";

/** The address of the running instance of a data folder. */
const instanceSchema = z.object({ url: z.string(), pid: z.number().int(), startedAt: z.number() });
export type Instance = z.infer<typeof instanceSchema>;

export const INSTANCE_FILE = "instance.json";
export const TOKEN_FILE = "control.token";

/** Publishes this process's address to other processes. Call it once listening. */
export async function publishInstance(dir: string, instance: Instance): Promise<void> {
  await replaceWithJson(nodeStoreFs, join(dir, INSTANCE_FILE), instance);
}

/**
 * Reads the address that the last owner of the folder published; null without one, or if unreadable. Only the lock
 * tells whether that process still runs.
 */
export async function readInstance(dir: string): Promise<Instance | null> {
  const bytes = await readWhenThere(join(dir, INSTANCE_FILE));
  if (bytes === null) return null;
  try {
    return instanceSchema.parse(parseJson(bytes));
  } catch {
    return null;
  }
}

/** Removes the address at a clean stop, so that no client is sent to a port that another program may have by then. */
export async function withdrawInstance(dir: string, fs: Pick<StoreFs, "remove"> = nodeStoreFs): Promise<void> {
  await fs.remove(join(dir, INSTANCE_FILE));
  await fs.remove(join(dir, TOKEN_FILE));
}

/** Stores the token that the `postern` command controls this instance with. A new one at each start. */
export async function writeControlToken(dir: string, token: string): Promise<void> {
  await replaceFile(nodeStoreFs, join(dir, TOKEN_FILE), (file) => file.write(Buffer.from(`${token}\n`), 0));
}

/** Hashes the token, so that it can be verified without being stored. */
export const tokenDigest = (token: string): Buffer => createHash("sha256").update(token).digest();

/**
 * Computes the proof for a random nonce that only an owner of this folder's control token can compute: the listener at
 * a published address must return it before a secret is sent there. It is valid for that address only.
 * @param digest of the token
 */
export function instanceProof(digest: Buffer, url: string, nonce: string): string {
  return createHmac("sha256", digest).update(`${url}\n${nonce}`).digest("base64url");
}

/** @returns null without a token. */
export async function controlToken(dir: string): Promise<string | null> {
  const text = (await readWhenThere(join(dir, TOKEN_FILE)))?.toString("utf8").trim() ?? "";
  return text === "" ? null : text;
}

async function readWhenThere(path: string): Promise<Buffer | null> {
  try {
    return await nodeStoreFs.readWhole(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
