/** What a client submits, but for its webhook. */
export type VideoOrderBody = Readonly<Record<string, unknown>>;

/** Every way in which a provider is informed of a video, and how it is asked for. */
export type Family = "alpha" | "alpha2.7" | "beta" | "ark" | "xai" | "openai";

const BODIES: Readonly<Record<Family, (prompt: string) => VideoOrderBody>> = {
  alpha: (prompt) => ({
    model: "alpha2.6-t2v",
    duration: 5,
    resolution: "720p",
    input: { prompt },
    parameters: { size: "1280*720", duration: 5 },
  }),
  "alpha2.7": (prompt) => ({ model: "alpha2.7-t2v", duration: 4, resolution: "720p", input: { prompt } }),
  beta: (prompt) => ({ model: "beta-1.0-t2v", duration: 3, resolution: "720p", input: { prompt } }),
  ark: (prompt) => ({
    model: "doubao-seedance-2-0-260128",
    duration: 5,
    resolution: "720p",
    input: { prompt },
    parameters: { return_last_frame: true },
  }),
  xai: (prompt) => ({ model: "grok-imagine-video", duration: 6, resolution: "480p", input: { prompt } }),
  openai: (prompt) => ({ model: "sora-2", duration: 4, resolution: "720p", input: { prompt } }),
};

export const FAMILIES = Object.keys(BODIES) as Family[];

/** Whose providers have a list in which a lost task is found. */
export const LISTED: ReadonlySet<Family> = new Set(["alpha", "alpha2.7", "beta", "ark"]);

/** The body of a submission, without a webhook. */
export const orderBody = (family: Family, prompt: string): VideoOrderBody => BODIES[family](prompt);
