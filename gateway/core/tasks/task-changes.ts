import type { Receipt } from "../../contract/receipt.ts";
import { isOver } from "./task.ts";
import type { TaskDelivery, TaskMoment, TaskPhase, TaskRecord, TaskResult } from "./task.ts";

/**
 * The state machine of a video task. Each function returns the next record, or null if nothing changes: an ended task
 * ignores late events, except a success after a timeout. States never go back.
 */

/** When something happened, and the id that its webhook would have (`webhook-id`). */
export interface Happening {
  readonly at: number;
  readonly eventId: string;
}

const LONGEST_TIMELINE = 60;
/** How far a task has come while the provider works. */
const PROGRESS_ORDER: readonly TaskPhase[] = ["submitting", "unknown", "submitted", "running"];

/** How the provider took it. */
export interface Acceptance {
  readonly operationId: string;
  readonly native: unknown;
  /** Provider that accepted it, if not the first candidate. */
  readonly by?: Pick<TaskRecord, "provider" | "connection" | "credential" | "upstream_model" | "price">;
  readonly note?: string;
}

/** The provider accepted the task under this id. */
export function acceptTask(task: TaskRecord, acceptance: Acceptance, at: number): TaskRecord | null {
  if (task.phase !== "submitting" && task.phase !== "unknown") return null;
  return {
    ...moveTask(task, "submitted", at, acceptance.note ?? null),
    ...acceptance.by,
    operation: { id: acceptance.operationId },
    native: acceptance.native,
  };
}

/** It was sent without a response. */
export function lost(task: TaskRecord, note: string, at: number): TaskRecord | null {
  return task.phase === "submitting" ? moveTask(task, "unknown", at, note) : null;
}

/** The provider works on it, or still has it in its queue. */
export function updateProgress(
  task: TaskRecord,
  report: { readonly state: "queued" | "running"; readonly progress: number | null; readonly native: unknown },
  at: number,
): TaskRecord | null {
  const next: TaskPhase = report.state === "queued" ? "submitted" : "running";
  const known = PROGRESS_ORDER.indexOf(task.phase);
  // `unknown` has no operation, so it cannot have been polled.
  if (known < PROGRESS_ORDER.indexOf("submitted")) return null;
  const forward = PROGRESS_ORDER.indexOf(next) > known;
  const progress = Math.max(task.progress ?? 0, clampProgress(report.progress));
  const further = report.progress !== null && progress > (task.progress ?? 0);
  if (!forward && !further) return null;
  const base = forward ? moveTask(task, next, at, null) : { ...task, updated_at: at };
  return { ...base, progress: report.progress === null ? task.progress : progress, native: report.native };
}

/** The provider finished the video: from here on it is charged, whatever happens to the file. */
export function made(
  task: TaskRecord,
  done: { readonly result: TaskResult; readonly native: unknown; readonly receipt: Receipt },
  at: number,
): TaskRecord | null {
  if (task.bill !== null || (isOver(task) && !isAwaitingVerdict(task))) return null;
  const late = isOver(task);
  return {
    ...moveTask(task, "fetching", at, late ? "The provider succeeded after the deadline." : null),
    progress: 100,
    result: done.result,
    native: done.native,
    bill: { receipt: done.receipt, counted: false },
  };
}

/** Ends a task whose file is in the library, or will not be there soon enough to wait for. */
export function deliverTask(
  task: TaskRecord,
  saved: boolean | null,
  note: string | null,
  when: Happening,
): TaskRecord | null {
  if (task.phase !== "fetching" || task.result === null) return null;
  return endTask({ ...task, error: null, result: { ...task.result, saved } }, "succeeded", note, when);
}

/** The file was saved, or given up, after the task had ended. */
export function savedLate(task: TaskRecord, saved: boolean, at: number): TaskRecord | null {
  if (task.phase !== "succeeded" || task.result === null || task.result.saved === saved) return null;
  return { ...task, updated_at: at, result: { ...task.result, saved } };
}

/** The provider gave another address for the same result: the first one had expired. */
export function replaceAddresses(
  task: TaskRecord,
  result: Pick<TaskResult, "video_url" | "last_frame_url">,
  native: unknown,
  at: number,
): TaskRecord | null {
  if (task.result === null || task.result.video_url === result.video_url) return null;
  return { ...task, updated_at: at, native, result: { ...task.result, ...result } };
}

/** The task ended without a video. The receipt has its cost, usually zero. */
export function failTask(
  task: TaskRecord,
  end: {
    readonly phase: "failed" | "cancelled";
    readonly error: { readonly code: string; readonly message: string } | null;
    readonly native?: unknown;
    readonly receipt: Receipt;
  },
  when: Happening,
): TaskRecord | null {
  const bill = { receipt: end.receipt, counted: false };
  const native = end.native === undefined ? task.native : end.native;
  // Final verdict after a timeout: the client already knows the failure.
  if (isAwaitingVerdict(task)) {
    return {
      ...task,
      native,
      bill,
      updated_at: when.at,
      timeline: appendMoment(task, "failed", when.at, end.error?.message ?? null),
    };
  }
  if (isOver(task) || task.phase === "fetching") return null;
  return endTask({ ...task, error: end.error, native, bill }, end.phase, end.error?.message ?? null, when);
}

/** The task timed out. It is still polled, and its money held until the provider has a verdict. */
export function timedOut(task: TaskRecord, message: string, when: Happening): TaskRecord | null {
  if (isOver(task) || task.phase === "fetching") return null;
  return endTask({ ...task, error: { code: "timeout", message } }, "failed", message, when);
}

/** Marks that the task's receipt is in the usage log. */
export function markCounted(task: TaskRecord): TaskRecord | null {
  if (task.bill === null || task.bill.counted) return null;
  return { ...task, bill: { ...task.bill, counted: true } };
}

/** Adds a note for users; an immediate repetition is added once. */
export function addNote(task: TaskRecord, note: string, at: number): TaskRecord | null {
  if (task.timeline.at(-1)?.note === note) return null;
  return { ...task, timeline: appendMoment(task, task.phase, at, note) };
}

/** Marks a task that its client deleted. */
export function markDeleted(task: TaskRecord, at: number): TaskRecord | null {
  return task.deleted_at === null ? { ...task, deleted_at: at } : null;
}

/** Failed by its deadline, and the provider's verdict has not come. */
export const isAwaitingVerdict = (task: TaskRecord): boolean =>
  task.phase === "failed" && task.bill === null && task.error?.code === "timeout";

/** Tells whether a submitted task must still be polled. */
export const isPollable = (task: TaskRecord): boolean =>
  task.operation !== null && task.bill === null && (!isOver(task) || isAwaitingVerdict(task));

function endTask(
  task: TaskRecord,
  phase: "succeeded" | "failed" | "cancelled",
  note: string | null,
  { at, eventId }: Happening,
): TaskRecord {
  const deliveries =
    task.webhook_url === null
      ? task.deliveries
      : [...task.deliveries, getDelivery(task.webhook_url, phase, at, eventId)];
  return { ...moveTask(task, phase, at, note), finished_at: at, deliveries };
}

function getDelivery(url: string, phase: "succeeded" | "failed" | "cancelled", at: number, id: string): TaskDelivery {
  return { id, type: `video.task.${phase}`, at, url, state: "pending", next_at: at, attempts: [] };
}

function moveTask(task: TaskRecord, phase: TaskPhase, at: number, note: string | null): TaskRecord {
  return { ...task, phase, updated_at: at, timeline: appendMoment(task, phase, at, note) };
}

/** The first lines and the last ones stay. */
function appendMoment(task: TaskRecord, phase: TaskPhase, at: number, note: string | null): readonly TaskMoment[] {
  const lines = [...task.timeline, { at, phase, note }];
  return lines.length <= LONGEST_TIMELINE ? lines : [...lines.slice(0, 10), ...lines.slice(11)];
}

const clampProgress = (progress: number | null): number =>
  progress === null || !Number.isFinite(progress) ? 0 : Math.min(100, Math.max(0, Math.round(progress)));
