import { readFileSync } from "node:fs";

/** A real file of test/fixtures/media. */
export const mediaFile = (name: string): Buffer => readFileSync(new URL(`../fixtures/media/${name}`, import.meta.url));
