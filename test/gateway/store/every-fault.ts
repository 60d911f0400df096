import type { Fault } from "./sim-fs.ts";

/** What a disk may say to a call. */
export const CODES = ["ENOSPC", "EIO", "EACCES", "EROFS", "EMFILE"] as const;

/** Each of the first calls alone. */
export const eachCall = (calls: number, code: string): Fault[] =>
  Array.from({ length: calls }, (_, call) => ({ call, code }));

/** A disk that is full for some calls, from any of the first ones on. */
export const fullForAWhile = (calls: number): Fault[] =>
  eachCall(calls, "ENOSPC").flatMap((fault) => [3, 10, 40].map((count) => ({ ...fault, calls: count })));

/** @param survive throws when something did not survive a fault @returns what was wrong after which, in words */
export async function failures(
  faults: readonly Fault[],
  survive: (fault: Fault) => Promise<unknown>,
): Promise<string[]> {
  const broken: string[] = [];
  for (const fault of faults) {
    await survive(fault).catch((error: unknown) => broken.push(`${JSON.stringify(fault)}: ${String(error)}`));
  }
  return broken;
}
