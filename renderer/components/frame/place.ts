import { createContext, use } from "react";
import type { Messages, PageId } from "../../locales/messages.ts";

/** Place of the current page. Pages receive it as a prop: the table of routes, which names them, is above them. */
export interface Place {
  readonly page: PageId;
  /** Sidebar entry of the page. */
  readonly entry: keyof Messages["pages"];
  /** All pages of that entry, in their order. */
  readonly tabs: readonly PageId[];
}

export const PlaceContext = createContext<Place>({ page: "overview", entry: "overview", tabs: ["overview"] });

export function usePlace(): Place {
  return use(PlaceContext);
}
