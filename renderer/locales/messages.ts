import type { firstEn } from "./first-en.ts";
import type { pagesEn } from "./pages-en.ts";

type Words<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof T]: Words<T[Name]> };

/** Words of the frame and the overview, and those of all other pages, which are fetched with the first of them. */
export type FirstWords = Words<typeof firstEn>;
export type PageWords = Words<typeof pagesEn>;

/** The shape of a language: every sentence of the English catalogue, each with the same gaps to fill. */
export type Messages = FirstWords & PageWords;

/** Entries of the sidebar that hold several pages as tabs. Their own address leads to the first of them. */
type TabbedEntryId = "media" | "providers" | "apps";

/** A page, by its path in the fragment. */
export type PageId = Exclude<keyof Messages["pages"], TabbedEntryId>;
