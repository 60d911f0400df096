import type { ImportedField } from "../../../../gateway/contract/imports.ts";
import type { Imported, Importer, Places } from "../../../../gateway/core/imports/importer.ts";
import { knownProviders } from "../../../../gateway/services/imports/known-providers.ts";
import { textFile } from "./text-file.ts";

const ORIGIN = "http://127.0.0.1:6174";

export const places = (more: Partial<Places> = {}): Places => ({
  home: "/home/ada",
  platform: "linux",
  env: {},
  folder: null,
  ...more,
});

/** What an importer makes of files by their paths; null where it is no set-up of its program. */
export function readFiles(
  importer: Importer,
  files: Readonly<Record<string, string>>,
  more: Partial<Places> = {},
): Imported | null {
  const read = Object.entries(files).map(([path, text]) => textFile(path, text));
  return importer.read(read, places(more), knownProviders(ORIGIN));
}

/** A connection of a set-up. */
export const connection = (
  name: string,
  provider: string,
  base_url: string,
  keys: readonly string[],
  more: object = {},
) => ({
  name,
  provider,
  base_url,
  keys,
  ...more,
});

/** The fields as lines: `field: fate becomes (reason)`. */
export function fieldLines(imported: Imported | null): readonly string[] {
  return (imported?.fields ?? []).map(
    ({ field, fate, becomes, reason }: ImportedField) =>
      `${field}: ${fate}${becomes === undefined ? "" : ` ${becomes}`}${reason === undefined ? "" : ` (${reason})`}`,
  );
}
