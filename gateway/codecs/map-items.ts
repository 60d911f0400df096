import { isRecord } from "../lib/records.ts";
import type { Document } from "./translation.ts";

/** An object with the objects of a list in it mapped; the same object where none is another. */
export function mapItems(object: Document, name: string, map: (item: Document, index: number) => Document): Document {
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
