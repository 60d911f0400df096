/** Asks for a fresh one-time token of the pages. Takes nothing, answers `{ token }`. */
export const OPEN_PAGES = "postern:open-pages";
