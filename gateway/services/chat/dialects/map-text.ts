import type { Document } from "../../../codecs/translation.ts";

/** An object with some of its texts mapped; the same object where none is another. @param run what they go on. */
export function mapFields(
  object: Document,
  names: readonly string[],
  run: string,
  map: (run: string, piece: string) => string,
): Document {
  let mapped = object;
  for (const name of names) {
    const piece = object[name];
    if (typeof piece !== "string" || piece === "") continue;
    const shown = map(`${run} ${name}`, piece);
    if (shown !== piece) mapped = { ...mapped, [name]: shown };
  }
  return mapped;
}
