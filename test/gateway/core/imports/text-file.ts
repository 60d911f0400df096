import { readDocument } from "../../../../gateway/core/imports/documents.ts";
import { PASTED } from "../../../../gateway/core/imports/importer.ts";
import type { FileRead } from "../../../../gateway/core/imports/importer.ts";

/** A file as an importer is given it; one that was pasted may be JSON or YAML. */
export function textFile(path: string, text: string): FileRead {
  const { data } = readDocument(path === PASTED ? "pasted.yaml" : path, text);
  return { path, text, data, tables: {}, otherTables: {} };
}
