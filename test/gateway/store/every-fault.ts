import type { Fault } from "./sim-fs.ts";
import { thin } from "../../support/dose.ts";

/** What a disk may say to a call. */
export const CODES = ["ENOSPC", "EIO", "EACCES", "EROFS", "EMFILE"] as const;

/** Each of the first calls alone. */
export const eachCall = (calls: number, code: string): Fault[] =>
  Array.from({ length: calls }, (_, call) => ({ call, code }));

/** Each of the first calls alone. In the short dose each call fails with one of {@link CODES} instead of with all. */
export const eachCallInTurn = (calls: number, code: (typeof CODES)[number]): readonly Fault[] =>
  thin(eachCall(calls, code), CODES.length, CODES.indexOf(code));

/** A disk that is full for some calls, from any of the first ones on. */
export const fullForAWhile = (calls: number): readonly Fault[] =>
  thin(
    eachCall(calls, "ENOSPC").flatMap((fault) => [3, 10, 40].map((count) => ({ ...fault, calls: count }))),
    14,
  );

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
