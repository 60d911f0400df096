/** An immutable JSON object. */
type JsonObject = Readonly<Record<string, unknown>>;

/** Whether `value` is a JSON object (not an array, not null). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Maps the objects of a list in an object; returns the same object if nothing changes. */
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

/** Maps a piece of a text: `run` and `field` together identify the continued text. */
export type MapPiece = (run: string, field: string, piece: string) => string;

/**
 * Maps some strings of an object; returns the same object if nothing changes. @param run identifies the texts that they
 * continue
 */
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

/** Returns the value if it is an object, else an empty one. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : NOTHING);

/** Returns the value if it is a list, else an empty one. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
