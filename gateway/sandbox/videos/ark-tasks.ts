import { beijingDigits } from "./beijing.ts";
import { RATE, type FilmPlan } from "./film.ts";
import { asLetters, idCode, letterDigits, type Figures } from "./id-code.ts";
import { TASK_FIGURES, filmPlanOf, sizeOf, taskAt } from "./task.ts";

/** Pixels on a side of a macroblock. */
const BLOCK = 16;
/** Bits of a model's hash. */
export const ARK_MODEL_BITS = 16;

const FIGURES = {
  ...TASK_FIGURES,
  frames: 11,
  model: ARK_MODEL_BITS,
  seed: 32,
  byFrames: 1,
  lastFrame: 1,
  audio: 1,
  draft: 1,
  flex: 1,
} as const;
export type SeedanceFigures = Figures<keyof typeof FIGURES>;
const DIGITS = 46;
const code = idCode("ark", DIGITS, FIGURES);

/** A record lives seven days (docs/providers/ark.md#video-tasks). */
const MEMORY_MS = 7 * 86_400_000;

/** `cgt-YYYYMMDDHHMMSS-` and more characters than the provider's five: nothing else is kept of a task. */
export function seedanceId(figures: SeedanceFigures): string {
  return `cgt-${beijingDigits(taskAt(figures, 0).created)}-${asLetters(code.write(figures))}`;
}

/** @returns null for ids that were never given, and for what is too old. */
export function seedanceTask(id: string, now: number): SeedanceFigures | null {
  const figures = code.read(letterDigits(id.slice("cgt-YYYYMMDDHHMMSS-".length), DIGITS));
  if (figures === null || seedanceId(figures) !== id) return null;
  return now - taskAt(figures, now).created > MEMORY_MS ? null : figures;
}

/** What of a task's answer no id holds. */
interface Surroundings {
  readonly now: number;
  /** When it was taken back; null when it was not. */
  readonly withdrawnAt: number | null;
  /** The provider's id of the model. */
  readonly model: string;
  readonly addressOf: (plan: FilmPlan, type: "mp4" | "png") => string;
}

/** The words of `GET …/tasks/{id}`. */
export function seedanceStatus(
  figures: SeedanceFigures,
  { now, withdrawnAt }: Pick<Surroundings, "now" | "withdrawnAt">,
): string {
  return withdrawnAt === null ? taskAt(figures, now).state : "cancelled";
}

/**
 * `GET …/tasks/{id}` (docs/providers/ark.md#video-tasks). That settings are told before the film is there is a guess.
 */
export function seedanceAnswer(id: string, figures: SeedanceFigures, surroundings: Surroundings): object {
  const { now, withdrawnAt, model, addressOf } = surroundings;
  const status = seedanceStatus(figures, surroundings);
  const { created, changed } = taskAt(figures, now);
  const head = { id, model, status };
  const times = { created_at: secondsOf(created), updated_at: secondsOf(withdrawnAt ?? changed) };
  if (status === "failed") {
    const message = `The sandbox was asked to fail this task. Request id: ${id.slice(-32)}`;
    return { ...head, error: { code: "InternalServiceError", message }, ...times };
  }
  if (status !== "succeeded") return { ...head, error: null, ...times, ...settingsOf(figures) };
  const plan = filmPlanOf(figures, figures.frames);
  const last = figures.lastFrame === 1 ? { last_frame_url: addressOf(plan, "png") } : {};
  const tokens = tokensOf(figures);
  return {
    ...head,
    error: null,
    content: { video_url: addressOf(plan, "mp4"), ...last },
    usage: { completion_tokens: tokens, total_tokens: tokens },
    ...times,
    ...settingsOf(figures),
  };
}

function settingsOf(figures: SeedanceFigures): object {
  const { seed, frames, byFrames, audio, draft, flex } = figures;
  const { resolution, ratio } = sizeOf(figures);
  return {
    seed,
    resolution,
    ratio,
    ...(byFrames === 1 ? { frames } : { duration: frames / RATE }),
    framespersecond: RATE,
    service_tier: flex === 1 ? "flex" : "default",
    execution_expires_after: 172_800,
    generate_audio: audio === 1,
    draft: draft === 1,
    priority: 0,
  };
}

/**
 * By pixels of whole macroblocks and pictures: Ark's 108,900 for five seconds of 720p and 246,840 of 1080p come out of
 * 121 pictures. The provider's films have one more than their seconds; these do not, but count it.
 */
function tokensOf(figures: SeedanceFigures): number {
  const { width, height } = sizeOf(figures);
  const whole = (pixels: number): number => Math.ceil(pixels / BLOCK) * BLOCK;
  const pictures = figures.frames + (figures.byFrames === 1 ? 0 : 1);
  return Math.round((whole(width) * whole(height) * pictures) / 1_024);
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1_000);
}
