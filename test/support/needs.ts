import type { TestOptions } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** What the machine lacks where the test is skipped, as the end of the run names it. */
    needs?: string;
  }
}

/**
 * Names what a test needs of the machine: `it.skipIf(!hasFfmpeg)("…", needs("ffmpeg"), …)`.
 * The runner lists skipped tests with this reason.
 * @param what a noun phrase that stands after "needs"; null where the test runs anyway
 */
export function needs(what: string | null): Pick<TestOptions, "meta"> {
  return what === null ? {} : { meta: { needs: what } };
}
