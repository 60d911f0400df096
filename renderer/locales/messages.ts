import type { en } from "./en.ts";

type Words<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof T]: Words<T[Name]> };

/** The shape of a language: every sentence of the English catalogue, each with the same gaps to fill. */
export type Messages = Words<typeof en>;

/** Entries of the sidebar that hold several pages as tabs. Their own address leads to the first of them. */
type TabbedEntryId = "media" | "providers" | "apps";

/** A page, by its path in the fragment. */
export type PageId = Exclude<keyof Messages["pages"], TabbedEntryId>;
