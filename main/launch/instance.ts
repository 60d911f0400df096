import { controlToken, readInstance } from "../../gateway/store/disk/instance.ts";
import type { Instance as PublishedInstance } from "../../gateway/store/disk/instance.ts";
import { CommandError } from "./command-errors.ts";

/** A running Postern, and the bearer of its control API. */
export interface Instance extends PublishedInstance {
  readonly token: string;
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

/** Reads a file of the data folder; a refusal of the system becomes a sentence. */
async function readable<T>(reading: Promise<T>, folder: string): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const sentence = `${folder} cannot be read (${reason}). Run this as the user that runs Postern.`;
    throw new CommandError(sentence, "not_readable", { cause: error });
  }
}

/**
 * Finds the Postern that has a data folder open. The token is only sent if the process that published the address is
 * alive, because its port may be another program's by now.
 * @throws CommandError with the next step if no Postern runs.
 */
export async function findInstance(folder: string): Promise<Instance> {
  const notRunning = (what: string): CommandError =>
    new CommandError(`${what} Start it with "npm start", or name another folder with --data-dir.`, "not_running");
  const instance = await readable(readInstance(folder), folder);
  if (instance === null) throw notRunning(`No Postern is running on ${folder}.`);
  if (!isAlive(instance.pid)) {
    throw notRunning(`The Postern on ${folder} (process ${instance.pid}) has ended without saying so.`);
  }
  const token = await readable(controlToken(folder), folder);
  if (token === null) throw new CommandError(`The control token of ${folder} is missing. Restart Postern.`);
  return { ...instance, token };
}
