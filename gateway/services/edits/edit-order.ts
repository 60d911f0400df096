import { parametersOf } from "../../core/images/image-request.ts";
import type { AskedImages } from "../images/image-call.ts";
import type { EditInput } from "./edit-input.ts";

/** What an edit asks for, as far as money and the library hang on it. */
export function orderOf({ fields, images, mask }: EditInput): AskedImages {
  const text = (name: string): string | null => (typeof fields[name] === "string" ? fields[name] : null);
  const number = (name: string): number | null => (typeof fields[name] === "number" ? fields[name] : null);
  return {
    count: number("n") ?? 1,
    partials: fields["stream"] === true ? (number("partial_images") ?? 0) : 0,
    prompt: text("prompt") ?? "",
    references: images.length + (mask === null ? 0 : 1),
    size: text("size"),
    quality: text("quality"),
    seed: number("seed"),
    parameters: parametersOf(fields),
  };
}
