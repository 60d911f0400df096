import { firstZh } from "./first-zh.ts";
import { pagesZh } from "./pages-zh.ts";

/** Chinese, every word of the pages. */
export const zh = { ...firstZh, ...pagesZh };
