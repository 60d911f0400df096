/** Requests a new one-time token of the pages. No arguments; returns `{ token }`. */
export const OPEN_PAGES = "postern:open-pages";
/** Asks the owner, outside of the page, whether provider keys may be exported. Takes nothing, answers `{ token }` or null. */
export const CONSENT_TO_EXPORT = "postern:consent-to-export";
/** Shows a file of the media library in its folder. Takes its path, answers nothing. */
export const SHOW_FILE = "postern:show-file";
/** Continues a drag that started on the page. Takes ids of the media library, returns nothing. */
export const DRAG_FILES = "postern:drag-files";
/** Tells the page of a file that was saved: a DownloadedFile. Nothing comes back. */
export const DOWNLOADED = "postern:downloaded";
/** Shows a file that was saved in its folder. Takes its number, answers nothing. */
export const SHOW_DOWNLOAD = "postern:show-download";
/** Opens the data folder. Takes and answers nothing. */
export const OPEN_DATA_FOLDER = "postern:open-data-folder";
/** Gives the shell the language and theme of the pages. Takes an Appearance, answers nothing. */
export const SET_APPEARANCE = "postern:set-appearance";
/** Whether Postern starts with the session. No arguments; returns a boolean, or null if unsupported. */
export const AUTOSTART = "postern:autostart";
/** Takes a boolean, answers nothing. */
export const SET_AUTOSTART = "postern:set-autostart";
/** Whether closing the window leaves Postern in the tray. No arguments; returns a boolean. */
export const CLOSE_TO_TRAY = "postern:close-to-tray";
/** Takes a boolean, answers nothing. */
export const SET_CLOSE_TO_TRAY = "postern:set-close-to-tray";
/** These three take nothing and answer an UpdateState. */
export const UPDATES = "postern:updates";
export const CHECK_FOR_UPDATES = "postern:check-for-updates";
export const INSTALL_UPDATE = "postern:install-update";
/** Drains and restarts. No arguments, no result. */
export const RESTART = "postern:restart";
