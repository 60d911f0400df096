/*
 * The app at a moment of its own, for pictures: POSTERN_MOMENT in Unix milliseconds, from which time goes on. Electron
 * starts this file in place of the app's.
 */
const after = Number(process.env["POSTERN_MOMENT"]) - Date.now();
const machine = Date.now.bind(Date);
Date.now = () => machine() + after;
await import(new URL("../../../out/main/index.mjs", import.meta.url).href);
