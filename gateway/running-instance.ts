import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "./start-error.ts";
import { readInstance, type Instance } from "./store/disk/instance.ts";

/** Max milliseconds to wait for a starting instance to publish its address. */
const TIMEOUT_MS = 10_000;
const STEP_MS = 50;

async function waitForInstance(dataDir: string): Promise<Instance | null> {
  for (let waited = 0; waited < TIMEOUT_MS; waited += STEP_MS) {
    const instance = await readInstance(dataDir);
    if (instance !== null) return instance;
    await delay(STEP_MS);
  }
  return null;
}

/**
 * Creates the error of a second start of a data folder, with the first one's address. If that is just starting, it
 * waits for the address.
 */
export async function alreadyRunning(dataDir: string): Promise<StartError> {
  const instance = await waitForInstance(dataDir);
  const where = instance === null ? "and is still starting" : `at ${instance.url} (pid ${instance.pid})`;
  const message = `Postern is already running ${where}, with the data folder ${dataDir}.`;
  return new StartError("running", message, instance?.url ?? null);
}
