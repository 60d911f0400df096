import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "./start-error.ts";
import { readInstance, type Instance } from "./store/disk/instance.ts";

/** How long to wait for an owner of the folder that is still starting to say where it listens. */
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
 * Why a second start of a data folder ends: where the first one is. That one may have been started this very moment, and
 * says where it listens as soon as it knows.
 */
export async function alreadyRunning(dataDir: string): Promise<StartError> {
  const instance = await waitForInstance(dataDir);
  const where = instance === null ? "and is still starting" : `at ${instance.url} (pid ${instance.pid})`;
  const message = `Postern is already running ${where}, with the data folder ${dataDir}.`;
  return new StartError("running", message, instance?.url ?? null);
}
