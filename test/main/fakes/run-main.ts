import * as electron from "./electron.ts";

/**
 * Runs main/index.ts in a process of its own, with the fake in Electron's place and the process's real signals, exit
 * code and streams: bundled with that fake, and run with `[--no-lock] [options of Postern]`.
 */
electron.app.hasLock = !process.argv.includes("--no-lock");
// As Electron does: the process ends at once, whatever is still open.
electron.app.on("fake-exit", (code: number) => process.exit(code));
// The last button of a box: it ends the start.
electron.dialog.response = Number.MAX_SAFE_INTEGER;
electron.app.ready.resolve();
await import("../../../main/index.ts");
