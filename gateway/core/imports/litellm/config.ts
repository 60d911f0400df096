import type { SourceFields } from "../fields.ts";
import { readItems, readMembers } from "../values.ts";

type Members = Readonly<Record<string, unknown>>;

/** A configuration file: the main one, then the included ones. */
export interface Document {
  readonly path: string;
  readonly data: Members;
  readonly fields: SourceFields;
}

/** Concatenates the lists of all files, as LiteLLM does; each item keeps its own fields. */
export function listItems(documents: readonly Document[], name: string) {
  return documents.flatMap(({ data, fields }) =>
    readItems(data[name]).map((item, index) => ({ item: readMembers(item), fields: fields.below([name, index]) })),
  );
}

/** Returns a section such as `router_settings` of every file; LiteLLM uses the last one. */
export function sections(documents: readonly Document[], name: string) {
  return documents.flatMap(({ data, fields }) =>
    data[name] === undefined ? [] : [{ section: readMembers(data[name]), fields: fields.below([name]) }],
  );
}
