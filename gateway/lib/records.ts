/** A JSON object that no one changes. */
type JsonObject = Readonly<Record<string, unknown>>;

/** Whether `value` is a JSON object (not an array, not null). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object with the objects of a list in it mapped; the same object where none is another. */
export function mapItems(
  object: JsonObject,
  name: string,
  map: (item: JsonObject, index: number) => JsonObject,
): JsonObject {
  const list: unknown = object[name];
  if (!Array.isArray(list)) return object;
  let items: readonly unknown[] = list;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const mapped = isRecord(item) ? map(item, index) : item;
    if (mapped !== item) items = items.with(index, mapped);
  }
  return items === list ? object : { ...object, [name]: items };
}

/** Makes another of a piece of a text: `run` and `field` together are the text that it goes on. */
export type MapPiece = (run: string, field: string, piece: string) => string;

/** An object with some of its texts mapped; the same object where none is another. @param run what they go on. */
export function mapFields(object: JsonObject, names: readonly string[], run: string, map: MapPiece): JsonObject {
  let mapped = object;
  for (const name of names) {
    const piece = object[name];
    if (typeof piece !== "string" || piece === "") continue;
    const shown = map(run, name, piece);
    if (shown !== piece) mapped = { ...mapped, [name]: shown };
  }
  return mapped;
}

const NOTHING: Readonly<Record<string, unknown>> = {};

/** The value where it is an object, else an empty one. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : NOTHING);

/** The value where it is a list, else an empty one. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
