import { mkdir } from "node:fs/promises";

/** Makes the data folder where there is none yet, for its owner alone. @throws the system's error. */
export async function makeFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
}
