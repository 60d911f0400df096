import type { ModelSpec } from "../core/models/model.ts";

/** The end of a model at its owner. */
export interface Ending {
  /** The first day without it, `YYYY-MM-DD`. */
  readonly on: string;
  /** The id of the model to use instead; null without a successor. */
  readonly successor: string | null;
}

/**
 * Announced ends by id, as in LiteLLM 1.110.2, from the owners' pages (`npm run catalog:check`, read 2026-11-28). A
 * successor is the owner's own or the nearest model of its kind. A model stays offered until its provider's list omits
 * it.
 */
const ENDINGS: readonly (readonly [on: string, successor: string | null, ...ids: string[]])[] = [
  ["2026-03-09", "gemini-3.1-pro-preview", "gemini-3-pro-preview"],
  ["2026-07-23", "gpt-5.5", "gpt-5-chat-latest"],
  ["2026-08-05", "claude-opus-5-5", "claude-opus-4-1"],
  ["2026-08-31", "kimi-k3.1-pro", "kimi-k2.5"],
  ["2026-09-24", null, "sora-2", "sora-2-pro"],
  ["2026-10-02", "grok-voice-transcribe-2.0", "grok-voice-transcribe-1.0"],
  ["2026-10-23", "gpt-5.4-mini", "o3-mini", "o4-mini"],
  ["2026-10-23", "gpt-5.4-nano", "gpt-4.1-nano"],
  ["2026-10-23", "gpt-5.5", "o1", "gpt-4o-2024-05-13"],
  ["2026-10-23", "gpt-image-2.6-flare", "delta-image-1"],
  ["2026-11-30", "claude-sonnet-5-5", "claude-sonnet-4-5"],
  ["2026-12-01", "gpt-image-2.6-flare", "delta-image-1.5", "gpt-image-1-mini"],
  // Both are answered by these from that day on (https://dev.to/aideprecations, from ai.google.dev, read 2026-11-10).
  ["2026-12-01", "gemini-3.8-flash", "gemini-2.5-pro"],
  ["2026-12-01", "gemini-3.5-flash-lite", "gemini-2.5-flash"],
  ["2026-12-11", "gpt-5.5", "gpt-5", "o3"],
  ["2026-12-11", "gpt-5.5-pro", "gpt-5-pro"],
  ["2026-12-11", "gpt-5.4-mini", "gpt-5-mini"],
  ["2026-12-11", "gpt-5.4-nano", "gpt-5-nano"],
  ["2027-01-06", null, "tts-1", "tts-1-hd", "gpt-4o-mini-tts"],
  ["2027-01-14", "gpt-5.5", "gpt-4o", "gpt-4.1"],
  ["2027-01-14", "gpt-5.4-mini", "gpt-4o-mini", "gpt-4.1-mini"],
  ["2027-01-20", "gpt-audio-1.5", "gpt-audio", "gpt-audio-mini"],
  ["2027-01-22", "claude-opus-5-5", "claude-opus-4-5"],
  ["2027-02-26", "gpt-transcribe", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "gpt-4o-transcribe-diarize"],
  ["2027-02-26", "gpt-transcribe", "whisper-1"],
  ["2027-03-15", "gemini-3.1-flash-image", "gemini-2.5-flash-image"],
  ["2027-04-01", "gpt-6.1-sol", "gpt-5.1", "gpt-5.3-codex"],
  ["2027-04-01", "gpt-6-luna", "gpt-5.4-nano"],
  ["2027-04-30", null, "voxtral-mini-2602"],
  ["2027-05-07", "gemini-3.5-flash-lite", "gemini-3.1-flash-lite"],
  ["2028-05-14", "zeta-embedding-2-preview", "zeta-embedding-001"],
];

const BY_ID = new Map(ENDINGS.flatMap(([on, successor, ...ids]) => ids.map((id) => [id, { on, successor }] as const)));

/** Returns the announced end of a catalog model; null if none was announced. */
export function findEnding(spec: Pick<ModelSpec, "id" | "retired">): Ending | null {
  return spec.retired ?? BY_ID.get(spec.id) ?? null;
}

/** Tells whether a model has ended by a UTC day, `YYYY-MM-DD`. */
export function hasEnded(spec: Pick<ModelSpec, "id" | "retired">, day: string): boolean {
  const ending = findEnding(spec);
  return ending !== null && ending.on <= day;
}
