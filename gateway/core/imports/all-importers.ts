import type { Importer } from "./importer.ts";

/** Every program whose set-up can be imported, in the order in which they are listed. */
export const allImporters: readonly Importer[] = [];
