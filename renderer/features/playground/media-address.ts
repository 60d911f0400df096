import type { MediaView } from "../../../gateway/contract/media.ts";
import type { MediaKind } from "./kinds.ts";
import { TEXT_FIELDS } from "./media/media-forms.ts";

/**
 * Fields of an address that refer to files of the library. Other pages link to these:
 * - `#/playground?vary=<media id>` fills in the form that made the file, with its prompt, model and parameters; this
 *   replaces typed text, and Undo restores it.
 * - `#/playground?kind=edit&picture=<media id>` uses a picture of the library as the one to change; `kind=video` as the
 *   first frame, `kind=image` as a reference, `kind=chat` in the message.
 *
 * `model` and `prompt` may accompany both and override the recorded ones. Both fields leave the address once they are used,
 * so that going back does not overwrite typed text.
 */
export interface MediaAddress {
  readonly vary: string | null;
  readonly picture: string | null;
}

export function readMediaAddress(params: URLSearchParams): MediaAddress {
  const idOf = (name: string): string | null => {
    const id = params.get(name) ?? "";
    return id === "" ? null : id;
  };
  return { vary: idOf("vary"), picture: idOf("picture") };
}

/** The form that makes a file like this one, with its fields. */
export interface Variation {
  readonly kind: MediaKind;
  readonly model: string;
  readonly typed: Readonly<Record<string, string>>;
}

const KINDS: Readonly<Record<string, MediaKind>> = {
  images: "image",
  edits: "edit",
  speech: "speech",
  videos: "video",
};

/**
 * Reads the parameters of a library file into its form's fields, without the seed, which would reproduce the same
 * result. Null without an origin, or if no form makes such files.
 */
export function readVariation({ origin }: Pick<MediaView, "origin">): Variation | null {
  const kind = KINDS[origin?.endpoint ?? ""];
  if (origin === null || kind === undefined) return null;
  const { parameters: nested, ...parameters } = origin.parameters;
  // Some families nest what others have next to the prompt.
  const inner = Object.entries(typeof nested === "object" && nested !== null ? nested : {}).flatMap(([name, value]) => [
    [name === "ratio" ? "aspect_ratio" : name, value],
    [`parameters.${name}`, value],
  ]);
  const values = [...inner, ...Object.entries(parameters)].filter(
    ([name, value]) => !/(?:^|\.)seed$/.test(String(name)) && ["string", "number", "boolean"].includes(typeof value),
  );
  const typed = Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
  return { kind, model: origin.model, typed: { ...typed, [TEXT_FIELDS[kind]]: origin.prompt } };
}
