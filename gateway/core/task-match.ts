import type { TaskRecord } from "./task.ts";

/** What a vendor's list says of a task. */
export interface ListedTask {
  readonly id: string;
  readonly upstreamModel: string | null;
  readonly createdAt: number | null;
  readonly seconds: number | null;
  readonly resolution: string | null;
  readonly seed: number | null;
}

/** The clocks of two machines differ, and a submission takes its time. */
const MARGIN_MS = 2 * 60_000;

/**
 * The tasks of a vendor's list that may be the one whose submission had no answer.
 * @param lostAt when it was given up to wait for the answer, Unix ms.
 * @param isKnown whether a vendor's id is that of another task of ours.
 */
export function candidatesFor(
  task: TaskRecord,
  lostAt: number,
  listed: readonly ListedTask[],
  isKnown: (vendorId: string) => boolean,
): readonly ListedTask[] {
  const { seconds, resolution, seed } = task.order;
  const fits = <T>(theirs: T | null, ours: T | null): boolean => theirs === null || ours === null || theirs === ours;
  return listed.filter(
    (one) =>
      !isKnown(one.id) &&
      fits(one.upstreamModel, task.upstream_model) &&
      (one.createdAt === null ||
        (one.createdAt >= task.created_at - MARGIN_MS && one.createdAt <= lostAt + MARGIN_MS)) &&
      fits(one.seconds, seconds) &&
      fits(one.resolution, resolution) &&
      fits(one.seed, seed),
  );
}
