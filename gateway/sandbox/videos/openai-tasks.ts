import { idCode, type Figures } from "./id-code.ts";
import { TASK_FIGURES, sizeOf, taskAt } from "./task.ts";

/** Bits of a model's hash. */
export const SORA_MODEL_BITS = 16;

const FIGURES = { ...TASK_FIGURES, seconds: 6, model: SORA_MODEL_BITS } as const;
export type SoraFigures = Figures<keyof typeof FIGURES>;
const code = idCode("openai", 48, FIGURES);

const PREFIX = "video_";
/** How long a finished file can be fetched: a guess. */
const FILE_LIVES_MS = 86_400_000;

export function soraId(figures: SoraFigures): string {
  return PREFIX + code.write(figures);
}

/** @returns null for ids that were never given. */
export function soraTask(id: string): SoraFigures | null {
  return id.startsWith(PREFIX) ? code.read(id.slice(PREFIX.length)) : null;
}

const STATUSES = { queued: "queued", running: "in_progress", succeeded: "completed", failed: "failed" } as const;

/** Until when a task's file can be fetched (Unix ms); null when there is none. */
export function fetchableUntil(figures: SoraFigures, now: number): number | null {
  const { state, ended } = taskAt(figures, now);
  return state === "succeeded" ? ended + FILE_LIVES_MS : null;
}

/**
 * A task as OpenAI shows it (docs/providers/openai.md#videos).
 * @param prompt null after a restart: no id has room for it.
 */
export function soraAnswer(
  id: string,
  figures: SoraFigures,
  now: number,
  model: string,
  prompt: string | null,
): object {
  const { state, progress, created, ended } = taskAt(figures, now);
  const { width, height } = sizeOf(figures);
  const until = fetchableUntil(figures, now);
  return {
    id,
    object: "video",
    model,
    status: STATUSES[state],
    progress: state === "failed" ? 0 : progress,
    created_at: secondsOf(created),
    completed_at: state === "succeeded" ? secondsOf(ended) : null,
    expires_at: until === null ? null : secondsOf(until),
    prompt,
    size: `${width}x${height}`,
    seconds: String(figures.seconds),
    remixed_from_video_id: null,
    error: state === "failed" ? { code: "internal_error", message: "The sandbox was asked to fail this video." } : null,
  };
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1_000);
}
