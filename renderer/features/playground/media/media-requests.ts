import type { ModelFacts } from "../../../../gateway/contract/playground.ts";
import type { V1Request } from "../../../api/v1/call-v1.ts";
import type { MediaKind } from "../kinds.ts";

type Body = Readonly<Record<string, unknown>>;

/** Values of a form, read by its schema, and the files next to them. */
export interface MediaInput {
  readonly kind: MediaKind;
  readonly model: string;
  readonly values: Body;
  /** Undefined while the model's facts are not known. */
  readonly facts: ModelFacts | undefined;
  /** `data:image/…` of pictures in a JSON body. */
  readonly pictures: readonly string[];
  /** Files of a multipart body. */
  readonly files: readonly NamedFile[];
  readonly isTranslation: boolean;
}

export interface NamedFile {
  readonly field: string;
  readonly file: Blob;
  readonly name: string;
}

const PATHS: Readonly<Record<MediaKind, string>> = {
  image: "/v1/images/generations",
  edit: "/v1/images/edits",
  speech: "/v1/audio/speech",
  transcription: "/v1/audio/transcriptions",
  video: "/v1/videos/generations",
  embedding: "/v1/embeddings",
};

/** The call as any client makes it. The gateway checks it. */
export function createRequest(input: MediaInput): V1Request {
  const { kind, model, values } = input;
  if (kind === "edit" || kind === "transcription") {
    return { path: input.isTranslation ? "/v1/audio/translations" : PATHS[kind], body: createForm(input) };
  }
  const body =
    kind === "image" ? createImageBody(input) : kind === "video" ? createVideoBody(input) : { model, ...values };
  return { path: PATHS[kind], body };
}

function createForm({ model, values, files }: MediaInput): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model, ...values })) {
    if (Array.isArray(value)) for (const item of value as unknown[]) form.append(`${name}[]`, formText(item));
    else form.set(name, formText(value));
  }
  for (const { field, file, name } of files) form.append(field, file, name);
  return form;
}

const formText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Pictures of an edit under the names of OpenAI's form, and the mask. */
export function nameEditFiles(pictures: readonly Blob[], mask: Blob | null): readonly NamedFile[] {
  const several = pictures.length > 1;
  const named = pictures.map((file, index) => ({
    field: several ? "image[]" : "image",
    file,
    name: `${several ? `picture-${index + 1}` : "picture"}.${file.type.split("/")[1] ?? "png"}`,
  }));
  return mask === null ? named : [...named, { field: "mask", file: mask, name: "mask.png" }];
}

/** The body in the shape of the model's family. */
function createImageBody({ model, values, facts, pictures }: MediaInput): Body {
  const { prompt, n, ...others } = values;
  switch (facts?.image?.family) {
    case "gamma": {
      const content = [...pictures.map((image) => ({ image })), { text: prompt }];
      return { model, ...others, input: { messages: [{ role: "user", content }] } };
    }
    case "seedream":
      return {
        model,
        prompt,
        ...others,
        ...(pictures.length > 0 && { image: pictures.length > 1 ? pictures : pictures[0] }),
        // Several images are a series there.
        ...(typeof n === "number" &&
          n > 1 && { sequential_image_generation: "auto", sequential_image_generation_options: { max_images: n } }),
      };
    default:
      return { model, ...values };
  }
}

/** The body of a video. With a picture it may be for the family's other model. */
function createVideoBody({ model, values, facts, pictures: [url] }: MediaInput): Body {
  const { prompt, input, ...others } = values;
  return {
    model: url === undefined ? model : (facts?.video.with_image ?? model),
    ...others,
    input: {
      ...(input as Body | undefined),
      prompt,
      ...(url !== undefined && facts !== undefined && placePicture(url, facts.video)),
    },
  };
}

/** Sets the picture in the field of the model family. */
function placePicture(url: string, { family, kind }: ModelFacts["video"]): Body {
  const isReference = looksAtPictures(kind);
  if (family === "alpha-legacy") return isReference ? { reference_urls: [url] } : { img_url: url };
  return { media: [{ type: isReference ? "reference_image" : "first_frame", url }] };
}

export const looksAtPictures = (kind: ModelFacts["video"]["kind"]): boolean => kind === "r2v" || kind === "edit";

/** Stands for each picture in an estimate: the price depends on their number, and the control API takes no megabytes. */
export const STAND_IN =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==";

const ESTIMATES: Readonly<Record<MediaKind, { readonly tool: string; readonly names: readonly string[] } | null>> = {
  image: { tool: "generate_image", names: ["prompt", "size", "aspect_ratio", "resolution", "quality", "n"] },
  edit: { tool: "edit_image", names: ["prompt", "size", "quality", "n", "input_fidelity"] },
  speech: { tool: "synthesize_speech", names: ["input", "voice", "response_format", "speed", "instructions"] },
  // The price depends on a file, which is too large for an estimate.
  transcription: null,
  video: { tool: "generate_video", names: ["prompt", "duration", "resolution", "aspect_ratio"] },
  embedding: { tool: "embed_text", names: ["input", "dimensions"] },
};

export interface Estimate {
  readonly tool: string;
  readonly arguments: Body;
}

/**
 * Builds arguments of the tool that estimates the cost; null if there is no such tool. They are equal for all model
 * families.
 */
export function createEstimate(input: MediaInput, pictures: number): Estimate | null {
  const { kind, model, facts } = input;
  const estimate = ESTIMATES[kind];
  if (estimate === null) return null;
  const values: Body = { ...input.values, ...(input.values["parameters"] as Body | undefined) };
  const priced = Object.entries(values).filter(([name]) => estimate.names.includes(name));
  const { duration, ...named } = Object.fromEntries(priced);
  const isReference = kind !== "video" || looksAtPictures(facts?.video.kind ?? "any");
  const field = kind !== "video" ? "images" : isReference ? "reference_images" : "first_frame_image";
  const standIns = Array.from({ length: pictures }, () => STAND_IN);
  return {
    tool: estimate.tool,
    arguments: {
      model,
      ...named,
      ...(duration !== undefined && { duration_seconds: duration }),
      ...(pictures > 0 && { [field]: isReference ? standIns : STAND_IN }),
    },
  };
}
