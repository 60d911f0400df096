import type { MediaView } from "../../../gateway/contract/media.ts";
import type { Kind } from "./kinds.ts";

/**
 * What an address asks for with files of the library. Other pages link to these:
 * - `#/playground?vary=<media id>` fills in the form that made the file, with its prompt, model and parameters; what was
 *   typed there before gives way, and can be brought back by Undo.
 * - `#/playground?kind=edit&picture=<media id>` takes a picture of the library as the one to change;
 *   `kind=video` as the first frame, `kind=image` as one to look at, `kind=chat` into the message.
 *
 * `model` and `prompt` may stand beside both and go before what is recorded. Both fields leave the address once they
 * are taken over, so that the way back does not overwrite what is typed.
 */
export interface MediaAddress {
  readonly vary: string | null;
  readonly picture: string | null;
}

export function mediaAddress(params: URLSearchParams): MediaAddress {
  const idOf = (name: string): string | null => {
    const id = params.get(name) ?? "";
    return id === "" ? null : id;
  };
  return { vary: idOf("vary"), picture: idOf("picture") };
}

/** The form that makes a file like this one, and its fields by the names of their memories. */
export interface Variation {
  readonly kind: Exclude<Kind, "chat" | "embedding" | "transcription">;
  readonly fields: Readonly<Record<string, string>>;
}

const kindsOf: Readonly<Record<string, Variation["kind"]>> = {
  images: "image",
  edits: "edit",
  speech: "speech",
  videos: "video",
};

/** Where each field of a form is recorded: by whichever of these names the request had it. */
const recordedAs: Readonly<Record<Variation["kind"], Readonly<Record<string, readonly string[]>>>> = {
  image: {
    size: ["size", "aspect_ratio"],
    n: ["n"],
    quality: ["quality"],
    // With the same seed, the same would be made again.
    seed: [],
  },
  edit: { size: ["size", "aspect_ratio"], n: ["n"], quality: ["quality"] },
  speech: {
    voice: ["voice"],
    format: ["response_format"],
    speed: ["speed"],
    instructions: ["instructions"],
  },
  video: {
    seconds: ["duration"],
    resolution: ["resolution"],
    ratio: ["aspect_ratio", "ratio"],
  },
};

/**
 * What a file of the library was made with, as a form has it; its seed is left out. Null where its origin was lost, or
 * no form makes such files.
 */
export function variationOf({ origin }: Pick<MediaView, "origin">): Variation | null {
  const kind = origin === null ? undefined : kindsOf[origin.endpoint];
  if (origin === null || kind === undefined) return null;
  // Some families nest what others have next to the prompt.
  const nested = origin.parameters["parameters"];
  const recorded: Readonly<Record<string, unknown>> = {
    ...(typeof nested === "object" && nested !== null ? nested : {}),
    ...origin.parameters,
  };
  const fields = Object.entries(recordedAs[kind]).map(([field, names]) => [
    field,
    textOf(names.map((name) => recorded[name]).find((value) => value != null)),
  ]);
  const text = kind === "speech" ? "input" : "prompt";
  return { kind, fields: { ...Object.fromEntries(fields), model: origin.model, [text]: origin.prompt } };
}

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
