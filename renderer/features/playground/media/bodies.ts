import type { ModelFacts } from "../../../../gateway/contract/playground.ts";

/** Bodies of requests for media, from what is typed: an empty text is "not given". Nothing is checked that `/v1` checks. */

type Body = Readonly<Record<string, unknown>>;

export interface ImageWish {
  readonly model: string;
  readonly prompt: string;
  readonly size: string;
  readonly n: string;
  readonly quality: string;
  readonly seed: string;
  /** `data:image/…` of pictures to look at. */
  readonly pictures: readonly string[];
}

/**
 * The body of `POST /v1/images/generations` in the shape of the model's family.
 * @param facts null for models that only a provider's list knows
 */
export function imageBody(wish: ImageWish, facts: ModelFacts["image"]): Body {
  const { model, prompt, size, quality, pictures } = wish;
  const n = numberIn(wish.n);
  const seed = numberIn(wish.seed);
  switch (facts?.family) {
    case "gamma":
      return {
        model,
        input: { messages: [{ role: "user", content: [...pictures.map((image) => ({ image })), { text: prompt }] }] },
        ...parts("parameters", { size: size.replace("x", "*"), n, seed }),
      };
    case "seedream":
      return given({
        model,
        prompt,
        size,
        seed,
        image: pictures.length > 1 ? pictures : pictures[0],
        // Several images are a series there.
        ...(typeof n === "number" && n > 1
          ? { sequential_image_generation: "auto", sequential_image_generation_options: { max_images: n } }
          : {}),
      });
    case "grok":
      // It has a ratio in the place of a size.
      return given({ model, prompt, n, quality, aspect_ratio: size });
    case "delta":
    case "epsilon":
      return given({ model, prompt, n, size, quality });
    default:
      return given({ model, prompt, n, size, quality, seed });
  }
}

/**
 * In a quote it stands for each picture: the price hangs on how many there are, and the control API takes no megabytes.
 * A PNG of one pixel.
 */
export const STAND_IN =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==";

/** The arguments of the tool that quotes it, which are the same for all families. */
export function imageQuote(wish: ImageWish, facts: ModelFacts["image"]): Body {
  const { model, prompt, size, quality, pictures } = wish;
  const shape = facts?.family === "grok" ? { aspect_ratio: size } : { size };
  return given({
    model,
    prompt,
    ...shape,
    quality,
    n: numberIn(wish.n),
    images: pictures.length === 0 ? undefined : pictures.map(() => STAND_IN),
  });
}

export interface EditWish {
  readonly model: string;
  readonly prompt: string;
  readonly size: string;
  readonly n: string;
  readonly quality: string;
}

/** The form of `POST /v1/images/edits`. @param mask transparent where the picture is to change; null: all of it */
export function editForm(wish: EditWish, pictures: readonly Blob[], mask: Blob | null): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(wish) as [string, string][]) if (value !== "") form.set(name, value);
  const several = pictures.length > 1;
  for (const [index, picture] of pictures.entries()) {
    const name = `${several ? `picture-${index + 1}` : "picture"}.${picture.type.split("/")[1] ?? "png"}`;
    form.append(several ? "image[]" : "image", picture, name);
  }
  if (mask !== null) form.set("mask", mask, "mask.png");
  return form;
}

/** The arguments of the tool that quotes it. A mask changes nothing of the price. */
export function editQuote({ n, ...wish }: EditWish, pictures: number): Body {
  return given({ ...wish, n: numberIn(n), images: Array.from({ length: pictures }, () => STAND_IN) });
}

export interface SpeechWish {
  readonly model: string;
  readonly input: string;
  readonly voice: string;
  readonly format: string;
  readonly speed: string;
  readonly instructions: string;
}

export function speechBody({ model, input, voice, format, speed, instructions }: SpeechWish): Body {
  return given({ model, input, voice, response_format: format, speed: numberIn(speed), instructions });
}

export interface TranscriptionWish {
  readonly model: string;
  readonly prompt: string;
  readonly language: string;
  readonly format: string;
  /** Whether the text is to be English, whatever is spoken. */
  readonly english: boolean;
}

/** The form of `POST /v1/audio/transcriptions`, or of `/v1/audio/translations`. */
export function transcriptionForm(wish: TranscriptionWish, sound: Blob, name: string): FormData {
  const { model, prompt, language, format, english } = wish;
  const form = new FormData();
  const texts = { model, language: english ? "" : language, prompt, response_format: format };
  for (const [field, value] of Object.entries(texts)) if (value !== "") form.set(field, value);
  form.set("file", sound, name);
  return form;
}

export interface VideoWish {
  readonly model: string;
  readonly prompt: string;
  readonly seconds: string;
  readonly resolution: string;
  readonly ratio: string;
  /** `data:image/…` of the picture to begin with; null for none. */
  readonly first: string | null;
}

/** The body of `POST /v1/videos/generations`. With a picture it may be for the family's other model. */
export function videoBody(wish: VideoWish, facts: ModelFacts["video"] | undefined): Body {
  const { prompt, seconds, resolution, ratio, first } = wish;
  return given({
    model: first === null ? wish.model : (facts?.with_image ?? wish.model),
    duration: numberIn(seconds),
    resolution,
    aspect_ratio: ratio,
    input: given({ prompt, ...(first === null || facts === undefined ? {} : beginning(first, facts)) }),
  });
}

/** Where each family looks for pictures. */
function beginning(url: string, { family, kind }: ModelFacts["video"]): Body {
  const references = kind === "r2v" || kind === "edit";
  if (family === "alpha-legacy") return references ? { reference_urls: [url] } : { img_url: url };
  return { media: [{ type: references ? "reference_image" : "first_frame", url }] };
}

export function videoQuote(wish: VideoWish, facts: ModelFacts["video"] | undefined): Body {
  const { model, prompt, seconds, resolution, ratio, first } = wish;
  const references = facts?.kind === "r2v" || facts?.kind === "edit";
  return given({
    model,
    prompt,
    duration_seconds: numberIn(seconds),
    resolution,
    aspect_ratio: ratio,
    ...(first === null ? {} : references ? { reference_images: [STAND_IN] } : { first_frame_image: STAND_IN }),
  });
}

export interface EmbeddingWish {
  readonly model: string;
  /** One text a line. */
  readonly texts: string;
  readonly dimensions: string;
}

export const linesOf = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

export function embeddingBody({ model, texts, dimensions }: EmbeddingWish): Body {
  return given({ model, input: linesOf(texts), dimensions: numberIn(dimensions) });
}

/** A number where one is typed; another text as it is, for the gateway to refuse in its own words. */
function numberIn(text: string): number | string | undefined {
  const typed = text.trim();
  if (typed === "") return undefined;
  const value = Number(typed);
  return Number.isFinite(value) ? value : typed;
}

/** Without what was not given. */
const given = (fields: Record<string, unknown>): Body =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""));

/** The fields under one name; nothing where none is given. */
function parts(name: string, fields: Record<string, unknown>): Body {
  const inside = given(fields);
  return Object.keys(inside).length === 0 ? {} : { [name]: inside };
}
