/** Asks for a fresh one-time token of the pages. Takes nothing, answers `{ token }`. */
export const OPEN_PAGES = "postern:open-pages";
/** Shows a file of the media library in its folder. Takes its path, answers nothing. */
export const SHOW_FILE = "postern:show-file";
