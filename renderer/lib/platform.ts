/** Whether shortcuts are written for a Mac keyboard. */
const isMac = /mac/i.test(window.desktop?.platform === "darwin" ? "mac" : navigator.platform);

/** Modifier key in "… K". */
export const modifier = isMac ? "⌘" : "Ctrl";
