import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "./command.ts";

/** A running Postern, as its data folder tells. */
export interface Instance {
  readonly url: string;
  readonly pid: number;
  readonly startedAt: number;
  /** Bearer of the control API; kept in a file that only the owner reads. */
  readonly token: string;
}

/** How the file is named that a running Postern keeps, and the one with its control token. */
export const INSTANCE_FILE = "instance.json";
export const TOKEN_FILE = "control.token";

/** @returns null when there is no such file */
async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path} cannot be read (${reason}). Run this as the user that runs Postern.`, null, {
      cause: error,
    });
  }
}

/** Whether a process has this id; one of another user counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** @returns what the file says, or null when it is not what Postern writes */
export function parseInstance(text: string): Omit<Instance, "token"> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  if (!("url" in value) || typeof value.url !== "string" || !URL.canParse(value.url)) return null;
  if (!("pid" in value) || typeof value.pid !== "number") return null;
  const startedAt = "startedAt" in value && typeof value.startedAt === "number" ? value.startedAt : 0;
  return { url: value.url, pid: value.pid, startedAt };
}

/**
 * Finds the Postern that has a data folder open. The token goes nowhere unless the process that wrote the address is
 * alive: its port may be another program's by now.
 * @throws CommandError with what to do when there is none.
 */
export async function findInstance(folder: string): Promise<Instance> {
  const start = 'Start it with "npm start".';
  const text = await readText(join(folder, INSTANCE_FILE));
  if (text === null) throw new CommandError(`No Postern is running on ${folder}. ${start}`, "not_running");
  const instance = parseInstance(text);
  if (instance === null) throw new CommandError(`${join(folder, INSTANCE_FILE)} is damaged. Restart Postern.`);
  if (!isAlive(instance.pid)) {
    const ended = `The Postern on ${folder} (process ${instance.pid}) has ended without saying so.`;
    throw new CommandError(`${ended} ${start}`, "not_running");
  }
  const token = (await readText(join(folder, TOKEN_FILE)))?.trim();
  if (!token) throw new CommandError(`${join(folder, TOKEN_FILE)} is missing or empty. Restart Postern.`);
  return { ...instance, token };
}
