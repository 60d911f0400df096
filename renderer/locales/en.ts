import { firstEn } from "./first-en.ts";
import { pagesEn } from "./pages-en.ts";

/** English, every word of the pages. */
export const en = { ...firstEn, ...pagesEn };
