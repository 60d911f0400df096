import { findModel } from "../../catalog/lookup.ts";
import { GatewayError } from "../../core/errors.ts";
import type { ImageFamily, ImageRules } from "../../core/images/image-rules.ts";
import { getSize } from "./image-size.ts";
import type { Resolution } from "./image-size.ts";

type Body = Readonly<Record<string, unknown>>;

/** Image parameters of the tool: the same for every model. */
export interface ImageWish {
  readonly model: string;
  /** Id of the model, if `model` is another name for it. */
  readonly modelId?: string;
  readonly prompt: string;
  /** Reference images: https addresses, or `data:image/…`. */
  readonly images: readonly string[];
  readonly n: number | undefined;
  readonly size: string | undefined;
  readonly aspectRatio: string | undefined;
  readonly resolution: Resolution | undefined;
  /** Under the names of `/v1/images/generations`; those that are undefined were not given. */
  readonly settings: Body;
}

/**
 * Builds the body of `POST /v1/images/generations` in the format of the model's family. The service validates it.
 * @throws GatewayError for options that the family's format lacks
 */
export function createImageBody(wish: ImageWish): Body {
  const { size, aspectRatio, resolution } = wish;
  if (size !== undefined && (aspectRatio !== undefined || resolution !== undefined)) {
    throw new GatewayError("invalid_value", "'size' says the whole size. Leave 'aspect_ratio' and 'resolution' out.", {
      param: aspectRatio === undefined ? "resolution" : "aspect_ratio",
    });
  }
  const rules = getRules(wish.modelId ?? wish.model);
  const make = rules === null ? createUnlistedBody : (SHAPES[rules.family] ?? createPromptBody);
  return given(make(wish, rules));
}

/** Returns the rules of a catalog model by any of its names, also after a connection's name; null for others. */
function getRules(model: string): ImageRules | null {
  const spec = findModel(model) ?? findModel(model.slice(model.lastIndexOf("/") + 1));
  return spec?.image ?? null;
}

type Shape = (wish: ImageWish, rules: ImageRules | null) => Body;

/** Families with their own format; the others use the common one. */
const SHAPES: Readonly<Record<ImageFamily, Shape>> = { gamma: gammaBody, seedream: createSeedreamBody, grok: grokBody };

/** `input` with one message, `parameters` with the rest; sizes with an asterisk. */
function gammaBody(wish: ImageWish, rules: ImageRules | null): Body {
  const size = measureSize(wish, rules)?.replace("x", "*");
  return {
    model: wish.model,
    input: {
      messages: [{ role: "user", content: [...wish.images.map((image) => ({ image })), { text: wish.prompt }] }],
    },
    parameters: given({
      ...chosen(wish.settings, GAMMA_SETTINGS),
      n: wish.n,
      size: size === "auto" ? undefined : size,
    }),
  };
}

/** Settings that the family has. */
const GAMMA_SETTINGS = ["seed", "negative_prompt", "prompt_extend", "watermark"];

/** Builds a body in the common format, which has no reference pictures. */
function createPromptBody(wish: ImageWish, rules: ImageRules | null): Body {
  refuseImages(wish);
  const { model, prompt, n, settings } = wish;
  return { model, prompt, n, size: measureSize(wish, rules), ...settings };
}

/** Several images are a series there. */
function createSeedreamBody(wish: ImageWish, rules: ImageRules | null): Body {
  const { model, prompt, images, n, settings } = wish;
  return {
    model,
    prompt,
    size: measureSize(wish, rules),
    image: images.length === 0 ? undefined : images.length === 1 ? images[0] : images,
    ...(n === undefined || n === 1
      ? {}
      : { sequential_image_generation: "auto", sequential_image_generation_options: { max_images: n } }),
    ...settings,
  };
}

/** It has ratio and resolution itself. */
function grokBody(wish: ImageWish): Body {
  refuseImages(wish);
  const { model, prompt, n, size, aspectRatio, resolution, settings } = wish;
  return { model, prompt, n, size, aspect_ratio: aspectRatio, resolution, ...settings };
}

/** A model that only its provider knows gets the arguments in the common format. */
function createUnlistedBody(wish: ImageWish): Body {
  return grokBody(wish);
}

function measureSize(
  { model, size, aspectRatio, resolution }: ImageWish,
  rules: ImageRules | null,
): string | undefined {
  if (size !== undefined || rules === null) return size;
  return getSize({ ratio: aspectRatio, resolution }, rules, model);
}

/** The common shape would lose them in silence, and the image would be paid for. */
function refuseImages({ model, images }: ImageWish): void {
  if (images.length === 0) return;
  throw new GatewayError(
    "unsupported_parameter",
    `Unsupported parameter: 'images'; the model "${model}" makes images from text alone here. Call edit_image, or use a gamma-image or Seedream model.`,
    { param: "images" },
  );
}

function chosen(settings: Body, names: readonly string[]): Body {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

/** Removes absent arguments. */
function given(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
