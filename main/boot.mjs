/**
 * Electron's first module: enables the compile cache, which saves the next start 60 ms. Without imports, because they
 * would be compiled before that.
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

// An installed app is in an archive, and has no folder of its own for the cache.
if (!import.meta.dirname.includes(".asar")) {
  const { enableCompileCache, flushCompileCache } = process.getBuiltinModule("node:module");
  enableCompileCache(`${import.meta.dirname}/../.cache`);
  setTimeout(flushCompileCache, COMPILED_AFTER_MS).unref();
}
await import(/* @vite-ignore */ isCommand ? command : app);
