import type { CollectionName, Collections } from "../document.ts";
import { COLLECTIONS, changeTarget } from "../disk/memory.ts";
import type { LiveDocument } from "../disk/memory.ts";

/** Snapshot of the collections' records, which are never changed in place. */
export type RecordsNow = ReadonlyMap<
  string,
  { readonly in: CollectionName; readonly record: Collections[CollectionName] }
>;

export function recordsNow(document: LiveDocument): RecordsNow {
  const records = new Map<string, { in: CollectionName; record: Collections[CollectionName] }>();
  for (const name of COLLECTIONS) {
    for (const record of document[name].values()) records.set(getTarget(name, record.id), { in: name, record });
  }
  return records;
}

const getTarget = (name: CollectionName, id: string): string => changeTarget({ op: "delete", in: name, id });
