import { join } from "node:path";

// Taken this way because importing node:fs as a module touches every lazy part of it, which costs the start 15 ms.
const { readFileSync, readdirSync, statSync } = process.getBuiltinModule("node:fs");
const { crc32 } = process.getBuiltinModule("node:zlib");

/**
 * The results of `npm run build` and their sources. Shared by the builder and by the start, which only checks
 * staleness: reading file times costs a few milliseconds, loading the builder hundreds.
 */

/** The project's top folder. */
export const projectFolder = join(import.meta.dirname, "../..");

/**
 * @typedef {"gateway" | "renderer" | "command" | "desktop"} TargetName
 * @typedef {object} Target
 * @property {string} entry Built only if this file exists.
 * @property {string} folder Output folder.
 * @property {readonly string[]} sources Source files and folders.
 */

/** Every target also depends on these. */
const shared = [
  "package-lock.json",
  "package.json",
  "main/launch/bundle.mjs",
  "main/launch/notices.mjs",
  "main/launch/schemas-on-demand.mjs",
  "main/launch/targets.mjs",
];

/** @type {Readonly<Record<TargetName, Target>>} */
export const targets = {
  gateway: { entry: "gateway/headless.ts", folder: "out/gateway", sources: ["gateway"] },
  renderer: {
    entry: "renderer/vite.config.ts",
    folder: "out/renderer",
    sources: ["renderer", "gateway/contract", "docs/guide", "docs/errors.md", "docs/webhooks.md"],
  },
  command: {
    entry: "main/launch/postern.ts",
    folder: "out/command",
    sources: [
      "main/launch",
      "main/policy",
      "gateway/contract",
      "gateway/core/clients",
      "gateway/core/money",
      "gateway/lib",
      "gateway/store",
    ],
  },
  desktop: { entry: "main/index.ts", folder: "out/main", sources: ["main", "gateway"] },
};

/** File in a build folder that records its inputs. */
export const STAMP = ".stamp";

/**
 * Lists path, size and time of files, recursively, one per line. Unlike a comparison of times, it detects removed,
 * added and restored files. Called per folder rather than per file, because a thousand calls would load V8's optimising
 * compiler at every start.
 * @param {string} top
 * @param {string} above Their folder, with a trailing slash; empty for `top`.
 * @param {readonly string[]} names Names of files and folders.
 * @param {Map<string, string>} known Recent results: targets share most of their sources.
 * @returns {string}
 */
function look(top, above, names, known) {
  let lines = "";
  for (const name of names) {
    const path = above + name;
    const before = known.get(path);
    if (before !== undefined) {
      lines += before;
      continue;
    }
    const stat = statSync(`${top}/${path}`, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) {
      const below = look(top, `${path}/`, readdirSync(`${top}/${path}`).toSorted(), known);
      known.set(path, below);
      lines += below;
    } else if (stat !== undefined) lines += `${path}|${stat.size}|${Math.trunc(stat.mtimeMs)}\n`;
  }
  return lines;
}

/**
 * Hashes a target's sources to a short text to compare with the stamp. Uses Node's hash, because a JavaScript loop
 * would take as long as everything else here.
 * @param {Target} target
 * @param {string} [top]
 * @param {Map<string, string>} [known]
 */
export function fingerprint(target, top = projectFolder, known = new Map()) {
  return crc32(look(top, "", [...shared, ...target.sources], known)).toString(16);
}

/**
 * Whether a target has to be built before it can be used.
 * @param {Target} target
 * @param {string} [top]
 * @param {Map<string, string>} [known]
 */
export function isStale(target, top = projectFolder, known = new Map()) {
  if (statSync(join(top, target.entry), { throwIfNoEntry: false }) === undefined) return false;
  try {
    return readFileSync(join(top, target.folder, STAMP), "utf8") !== fingerprint(target, top, known);
  } catch {
    return true;
  }
}
