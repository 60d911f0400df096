import { cp } from "node:fs/promises";
import { temporaryFolder } from "../../../support/running-gateway.ts";

/** A data folder as it lies on the disk now, as a process that ended would leave it. */
export async function copyFolder(from: string): Promise<string> {
  const to = await temporaryFolder();
  await cp(from, to, { recursive: true });
  return to;
}
