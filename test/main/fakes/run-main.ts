import { registerHooks } from "node:module";
import * as electron from "./electron.ts";

/**
 * Runs main/index.ts in a process of its own, with the fake in Electron's place and the process's real signals, exit
 * code and streams: `node run-main.ts [--no-lock] [options of Postern]`.
 */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== "electron") return next(specifier, context);
    return { url: new URL("electron.ts", import.meta.url).href, shortCircuit: true };
  },
});
electron.app.hasLock = !process.argv.includes("--no-lock");
// As Electron does: the process ends at once, whatever is still open.
electron.app.on("fake-exit", (code: number) => process.exit(code));
electron.app.ready.resolve();
await import("../../../main/index.ts");
