import { requestIdOf } from "../multimodal.ts";
import { beijingTime } from "./beijing.ts";
import { filmPlanOf, framesOf, sizeOf, taskAt, TASK_FIGURES } from "./task.ts";
import type { FilmPlan } from "./film.ts";
import { asUuid, idCode, uuidDigits, type Figures } from "./id-code.ts";

/** What an answer's `usage` looks like, by the age of the model (docs/providers/dashscope.md#usage-of-videos). */
export const USAGE_FORMS = { ratio: 0, plain: 1, plainPixels: 2, old: 3, oldPixels: 4 } as const;

const FIGURES = {
  ...TASK_FIGURES,
  seconds: 6,
  /** One of `USAGE_FORMS`. */
  form: 3,
  /** Whether a film went in. */
  withVideo: 1,
} as const;
export type WanFigures = Figures<keyof typeof FIGURES>;
const code = idCode("dashscope", 32, FIGURES);

const DAY_MS = 86_400_000;
/** Seconds of a film that went in: a guess of them, since nobody here looks into it. */
const SECONDS_IN = 5;

export function wanId(figures: WanFigures): string {
  return asUuid(code.write(figures));
}

/** @returns null for ids that were never given, and after the day for which the provider knows them. */
export function wanTask(id: string, now: number): WanFigures | null {
  const figures = code.read(uuidDigits(id));
  return figures === null || now - taskAt(figures, now).created > DAY_MS ? null : figures;
}

/** What of a task's answer no id holds. */
interface Surroundings {
  readonly now: number;
  /** When it was taken back; null when it was not. */
  readonly withdrawnAt: number | null;
  /** Not known after a restart. */
  readonly prompt: string | undefined;
  readonly addressOf: (plan: FilmPlan) => string;
}

/** The words of `GET /api/v1/tasks/{id}`, and of its list. */
export function wanStatus(
  figures: WanFigures,
  { now, withdrawnAt }: Pick<Surroundings, "now" | "withdrawnAt">,
): string {
  if (withdrawnAt !== null) return "CANCELED";
  return { queued: "PENDING", running: "RUNNING", succeeded: "SUCCEEDED", failed: "FAILED" }[
    taskAt(figures, now).state
  ];
}

/** `GET /api/v1/tasks/{id}` (docs/providers/dashscope.md#tasks). */
export function wanAnswer(id: string, figures: WanFigures | null, surroundings: Surroundings): object {
  if (figures === null) {
    return { request_id: requestIdOf(id), output: { task_id: id, task_status: "UNKNOWN" } };
  }
  const { now, withdrawnAt, prompt, addressOf } = surroundings;
  const task_status = wanStatus(figures, surroundings);
  const { created, began, ended } = taskAt(figures, now);
  const request_id = requestIdOf(`${id} ${task_status}`);
  const head = { task_id: id, task_status, submit_time: beijingTime(created) };
  if (task_status === "PENDING") return { request_id, output: head };
  if (withdrawnAt !== null) return { request_id, output: { ...head, end_time: beijingTime(withdrawnAt) } };
  const scheduled = { ...head, scheduled_time: beijingTime(began) };
  if (task_status === "RUNNING") return { request_id, output: scheduled };
  const output = { ...scheduled, end_time: beijingTime(ended) };
  if (task_status === "FAILED") {
    const message = "The sandbox was asked to fail this task.";
    return { request_id, output: { ...output, code: "InternalError.Algo", message } };
  }
  const video_url = addressOf(filmPlanOf(figures, framesOf(figures.seconds)));
  const words = prompt === undefined ? {} : { orig_prompt: prompt };
  return { request_id, output: { ...output, ...words, video_url }, usage: usageOf(figures) };
}

function usageOf(figures: WanFigures): object {
  const { seconds, withVideo, form } = figures;
  const { width, height, resolution, ratio } = sizeOf(figures);
  const SR = Number.parseInt(resolution, 10);
  const size = `${width}*${height}`;
  if (form === USAGE_FORMS.old) return { duration: seconds, SR, video_count: 1 };
  if (form === USAGE_FORMS.oldPixels) return { duration: seconds, SR, video_count: 1, size };
  const secondsIn = withVideo === 1 ? SECONDS_IN : 0;
  const usage = {
    duration: secondsIn + seconds,
    input_video_duration: secondsIn,
    output_video_duration: seconds,
    video_count: 1,
    SR,
  };
  if (form === USAGE_FORMS.plainPixels) return { ...usage, size };
  return form === USAGE_FORMS.ratio ? { ...usage, ratio } : usage;
}
