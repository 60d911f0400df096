/**
 * Electron's first module: has the app itself compiled once, and what was compiled kept for the next start, which
 * saves it 60 ms. Without imports, because they would be compiled before that.
 */

/** When the code that a start runs has been compiled. */
const COMPILED_AFTER_MS = 3_000;

/** Both bundles lie next to this file when it is built. */
const app = "./app.mjs";
const command = "./command.mjs";

/** An installed app is the `postern` command too: `postern keys list`. A working copy has `npm run postern`. */
const [first = ""] = process.argv.slice(1);
const isInstalled = !("defaultApp" in process);
const isCommand = isInstalled && /^(?:--help$|-h$|[a-z](?!ostern:))/.test(first);

// An installed app lies in an archive, and has no folder of its own to keep it in.
if (!import.meta.dirname.includes(".asar")) {
  const { enableCompileCache, flushCompileCache } = process.getBuiltinModule("node:module");
  enableCompileCache(`${import.meta.dirname}/../.cache`);
  setTimeout(flushCompileCache, COMPILED_AFTER_MS).unref();
}
await import(/* @vite-ignore */ isCommand ? command : app);
