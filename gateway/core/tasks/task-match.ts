import type { TaskRecord } from "./task.ts";

/** A task as a provider's own list has it. */
export interface ListedTask {
  readonly id: string;
  readonly upstreamModel: string | null;
  /** Unix milliseconds; null if the list has none. */
  readonly createdAt: number | null;
  /** Fields that distinguish tasks of one model, if the list has them. */
  readonly seconds: number | null;
  readonly resolution: string | null;
  readonly seed: number | null;
}

/** The clocks of two machines differ, and a submission takes its time. */
const MARGIN_MS = 2 * 60_000;

/**
 * Returns the listed tasks that may be the one whose submission had no response.
 * @param lostAt when waiting for the response ended, Unix ms.
 * @param isKnown tells whether a provider id belongs to another task of ours.
 */
export function chooseCandidates(
  task: TaskRecord,
  lostAt: number,
  listed: readonly ListedTask[],
  isKnown: (providerId: string) => boolean,
): readonly ListedTask[] {
  const { seconds, resolution, seed } = getChoices(task);
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

/** When it was given up to wait for the response to a submission, Unix ms; null while it is waited for. */
export const getLostTime = (task: TaskRecord): number | null =>
  task.phase === "submitting"
    ? null
    : (task.timeline.findLast(({ phase }) => phase === "unknown")?.at ?? task.updated_at);

/**
 * Returns other tasks of ours that may be this one of the list as well: on their way to the same account, or lost there. A
 * lost task with the very same order is no rival: either may have it.
 */
export function chooseRivals(task: TaskRecord, one: ListedTask, others: Iterable<TaskRecord>): readonly TaskRecord[] {
  return [...others].filter(
    (other) =>
      other.id !== task.id &&
      (other.phase === "submitting" || (other.phase === "unknown" && !isSameOrder(other, task))) &&
      other.connection === task.connection &&
      other.credential === task.credential &&
      chooseCandidates(other, getLostTime(other) ?? Infinity, [one], () => false).length > 0,
  );
}

/** Whether two tasks ask for the same video for the same client, so that they may be taken for each other. */
function isSameOrder(a: TaskRecord, b: TaskRecord): boolean {
  return a.key === b.key && JSON.stringify(getWish(a)) === JSON.stringify(getWish(b));
}

function getWish({ model, order: { request } }: TaskRecord): unknown {
  const { webhook_url: _webhook, wait: _wait, ...wish } = request;
  return { model, wish };
}

/** Returns the client's choices: a field left to the model may have any value. */
function getChoices({ order }: TaskRecord): { seconds: number | null; resolution: string | null; seed: number | null } {
  const { seconds, resolution, seed, parameters } = order;
  const open = parameters["duration"] === -1 || parameters["frames"] != null;
  return { seconds: open ? null : seconds, resolution, seed: seed === null || seed < 0 ? null : seed };
}

/**
 * Tells whether a list without a task is credible: it must contain our other tasks known to be at that provider.
 * @param others provider ids of our tasks of the same account and model, accepted at about the same time.
 */
export function isWhole(listed: readonly ListedTask[], others: readonly string[]): boolean {
  const ids = new Set(listed.map(({ id }) => id));
  return others.every((id) => ids.has(id));
}
