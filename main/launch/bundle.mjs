import { readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { guidePages } from "./guide-pages.mjs";
import { NOTICES, collectNotices } from "./notices.mjs";
import { schemasOnDemand } from "./schemas-on-demand.mjs";
import { STAMP, fingerprint, targets } from "./targets.mjs";

/**
 * Bundling of each target. A target is built in a separate folder and moved into place atomically, so that a starting
 * Postern never sees a partial one.
 *
 * @typedef {import("./targets.mjs").TargetName} TargetName
 * @typedef {import("vite").InlineConfig} InlineConfig
 */

const undiciParts = [
  'export { default as Pool } from "undici/lib/dispatcher/pool.js";',
  'export { default as buildConnector } from "undici/lib/core/connect.js";',
];
/**
 * The gateway uses the pool of undici and its connector. The package's main file also loads fetch, WebSocket, EventSource and caches:
 * 600 KB and 15 ms of each start. Another import from it fails the build, and belongs here then. Below the pool, HTTP/2
 * is switched off (gateway/upstream), and no body is a form of fetch's: both parts stay out, and with them node:http2.
 * @type {import("vite").Plugin}
 */
const undiciPool = {
  name: "postern:undici-pool",
  enforce: "pre",
  resolveId(id, importer) {
    if (id === "undici") return "\0undici-pool";
    if (importer?.includes("/node_modules/undici/") !== true) return null;
    return /\/(?:client-h2\.js|web\/fetch\/body\.js|web\/fetch\/formdata|web\/webidl)$/.test(id)
      ? `\0undici-unused:${id}`
      : null;
  },
  load(id) {
    if (id === "\0undici-pool") return undiciParts.join("");
    if (!id.startsWith("\0undici-unused:")) return null;
    const message = JSON.stringify(`${id.slice(1)} is left out of the bundle (main/launch/bundle.mjs)`);
    return `module.exports = () => { throw new Error(${message}); };`;
  },
};

/** Smaller code is read sooner; the names stay, so that stack traces say something. */
export const SHORT = { compress: true, mangle: { keepNames: true }, codegen: true };

/** The media types that the gateway names to Koa: by ending, and by name. */
const mediaTypes = /^(?:application\/(?:json|octet-stream)|multipart\/form-data|text\/(?:css|html|plain))$/;

/**
 * Keeps only the media types that the gateway uses, out of the 2,500 that Koa includes twice: the full tables cost each
 * start 7 ms.
 * @type {import("vite").Plugin}
 */
const fewMediaTypes = {
  name: "postern:few-media-types",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("/mime-db/db.json")) return null;
    const all = Object.entries(JSON.parse(code));
    return JSON.stringify(Object.fromEntries(all.filter(([type]) => mediaTypes.test(type))));
  },
};

/**
 * Empties `debug`, which Koa's router includes and which checks the terminal and its colors at each start, and `depd` of
 * http-errors, which creates wrappers by eval. Their output is never read.
 * @type {import("vite").Plugin}
 */
const silentDebug = {
  name: "postern:silent-debug",
  enforce: "pre",
  resolveId: (id, importer) =>
    (id === "debug" && importer?.includes("/@koa/router/") === true) ||
    (id === "depd" && importer?.includes("/http-errors/") === true)
      ? "\0silent-debug"
      : null,
  load: (id) =>
    id === "\0silent-debug"
      ? "module.exports = () => Object.assign(() => {}, { function: (wrapped) => wrapped });"
      : null,
};

/**
 * Writes characters beyond ASCII as escapes: a single one makes V8 store the whole file with two bytes per character.
 * @type {import("vite").Plugin}
 */
const asciiOnly = {
  name: "postern:ascii-only",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "chunk") continue;
      // An escape means the same everywhere except in a raw template and after a backslash.
      const odd = /String\.raw`[^`]*[^\0-\x7f]|\\[^\0-\x7f]/.exec(file.code);
      if (odd !== null)
        throw new Error(`${file.fileName} has characters beyond ASCII that cannot be escaped: ${odd[0]}`);
      file.code = file.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    }
  },
};

/**
 * A bundle for Node or Electron with all dependencies in it.
 *
 * CommonJS wherever start time matters: an ES module that imports node:http or node:fs makes Node load all of their
 * lazy parts (fetch, streams), 30 ms in total; `require` does not.
 * @param {string} top The project's folder.
 * @param {string} entry Source file.
 * @param {string} file Name of the result; its extension determines the format.
 * @param {string} stage Output folder.
 * @param {{ keep?: boolean, together?: boolean, plugins?: import("vite").Plugin[] }} [how] `keep` keeps existing files
 * in the folder. `together` puts everything needed at start into one file, because each additional file costs a
 * millisecond.
 * @returns {InlineConfig}
 */
function nodeBundle(top, entry, file, stage, { keep = false, together = false, plugins = [] } = {}) {
  const ending = file.endsWith(".cjs") ? ".cjs" : ".mjs";
  return {
    root: top,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: "warn",
    plugins: [undiciPool, fewMediaTypes, silentDebug, schemasOnDemand(top), asciiOnly, ...plugins],
    // Undici then assumes that it is bundled into Node, and includes one HTTP/1 parser instead of two.
    define: { esbuildDetection: "true" },
    ssr: { noExternal: true, external: ["electron"], target: "node" },
    build: {
      ssr: entry,
      outDir: stage,
      emptyOutDir: !keep,
      target: "node24",
      minify: false,
      rolldownOptions: {
        external: ["electron"],
        output: {
          format: ending === ".cjs" ? "cjs" : "es",
          entryFileNames: file,
          chunkFileNames: `[name]-[hash]${ending}`,
          ...(together ? { codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] } } : {}),
          minify: SHORT,
        },
      },
    },
  };
}

/**
 * Puts the icon of window and boxes next to the desktop's bundles.
 * @param {string} top
 * @returns {import("vite").Plugin}
 */
const windowIcon = (top) => ({
  name: "postern:window-icon",
  generateBundle() {
    const source = readFileSync(join(top, "main/assets/icons/256x256.png"));
    this.emitFile({ type: "asset", fileName: "icon.png", source });
  },
});

/**
 * Worker threads of the gateway, each with its own entry file: media, set-ups and recordings
 * (gateway/store/media/media-container.ts), and the index (gateway/store/ledger/ledger.ts).
 */
export const THREADS = {
  "worker.cjs": "gateway/worker.ts",
  "ledger-worker.cjs": "gateway/store/ledger/ledger-worker.ts",
};

/**
 * @param {string} top
 * @param {string} stage
 */
const threads = (top, stage) =>
  Object.entries(THREADS).map(([file, entry]) => nodeBundle(top, entry, file, stage, { keep: true }));

/** @type {Record<TargetName, (top: string, stage: string) => InlineConfig[]>} */
const recipes = {
  gateway: (top, stage) => [
    nodeBundle(top, targets.gateway.entry, "headless.cjs", stage, { together: true }),
    ...threads(top, stage),
  ],
  renderer: (top, stage) => [
    {
      root: join(top, "renderer"),
      configFile: join(top, targets.renderer.entry),
      plugins: [guidePages(join(top, "docs"))],
      logLevel: "warn",
      build: { outDir: stage, emptyOutDir: true },
    },
  ],
  command: (top, stage) => [nodeBundle(top, targets.command.entry, "postern.cjs", stage)],
  desktop: (top, stage) => [
    nodeBundle(top, targets.desktop.entry, "app.mjs", stage),
    nodeBundle(top, "main/boot.mjs", "index.mjs", stage, { keep: true }),
    nodeBundle(top, "main/command-in-app.ts", "command.mjs", stage, { keep: true }),
    nodeBundle(top, "main/preload.ts", "preload.cjs", stage, { keep: true, plugins: [windowIcon(top)] }),
    ...threads(top, stage),
  ],
};

/**
 * @param {Awaited<ReturnType<typeof build>>} built
 * @returns {string[]} Ids of the modules that are in it.
 */
function listModules(built) {
  const outputs = Array.isArray(built) ? built : "output" in built ? [built] : [];
  return outputs.flatMap(({ output }) => output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : [])));
}

/**
 * Replaces the old folder by a finished one. Of two concurrent builds the last one wins.
 * @param {string} stage
 * @param {string} folder
 */
async function moveIntoPlace(stage, folder) {
  const old = `${stage}-old`;
  for (let attempt = 0; ; attempt++) {
    await rename(folder, old).catch(() => undefined);
    try {
      await rename(stage, folder);
      break;
    } catch (error) {
      if (attempt === 5) throw error;
      await rm(old, { recursive: true, force: true });
    }
  }
  await rm(old, { recursive: true, force: true });
}

/**
 * Builds one target.
 * @param {TargetName} name
 * @param {string} top The project's folder.
 * @throws the bundler's error about the sources
 */
export async function bundle(name, top) {
  const target = targets[name];
  // Computed first, so that a change during bundling makes the result stale.
  const stamp = fingerprint(target, top);
  const stage = join(top, "out", `.stage-${name}-${process.pid}`);
  try {
    /** @type {string[]} */
    const modules = [];
    for (const config of recipes[name](top, stage)) modules.push(...listModules(await build(config)));
    await mkdir(stage, { recursive: true });
    await writeFile(join(stage, NOTICES), await collectNotices(modules));
    await writeFile(join(stage, STAMP), stamp);
    await moveIntoPlace(stage, join(top, target.folder));
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}
