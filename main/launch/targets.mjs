import { join } from "node:path";

// Taken this way because importing node:fs as a module touches every lazy part of it, which costs the start 15 ms.
const { readFileSync, readdirSync, statSync } = process.getBuiltinModule("node:fs");

/**
 * What `npm run build` makes, and from what. Shared by the builder and by the start, which only asks "is it stale?":
 * a walk over file times costs a few milliseconds, loading the builder would cost hundreds.
 */

/** The project's top folder. */
export const projectFolder = join(import.meta.dirname, "../..");

/**
 * @typedef {"gateway" | "renderer" | "command" | "desktop"} TargetName
 * @typedef {object} Target
 * @property {string} entry Built only where this file exists.
 * @property {string} folder Where the result goes.
 * @property {readonly string[]} sources Files and folders that it is made from.
 */

/** Every target also depends on these. */
const shared = [
  "package-lock.json",
  "package.json",
  "main/launch/bundle.mjs",
  "main/launch/notices.mjs",
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
    sources: ["main/launch", "main/policy", "gateway/contract", "gateway/lib", "gateway/store"],
  },
  desktop: { entry: "main/index.ts", folder: "out/main", sources: ["main", "gateway"] },
};

/** The file in a built folder that tells what it was built from. */
export const STAMP = ".stamp";

/**
 * Adds up path, size and time of a file, or of all files below a folder. A removed, added or restored file changes the
 * sum, which a comparison of times alone would miss.
 * @param {string} path
 * @param {number} sum
 * @returns {number}
 */
function mix(path, sum) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return sum;
  if (stat.isDirectory()) {
    for (const name of readdirSync(path).toSorted()) sum = mix(`${path}/${name}`, sum);
    return sum;
  }
  const text = `${path}|${stat.size}|${Math.trunc(stat.mtimeMs)}`;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return sum;
}

/**
 * What a target's sources look like now, as a short text to compare with the stamp.
 * @param {Target} target
 * @param {string} [top]
 */
export function fingerprint(target, top = projectFolder) {
  let sum = 0x811c9dc5;
  for (const source of [...shared, ...target.sources]) sum = mix(join(top, source), sum);
  return (sum >>> 0).toString(16);
}

/**
 * Whether a target has to be built before it can be used.
 * @param {Target} target
 * @param {string} [top]
 */
export function isStale(target, top = projectFolder) {
  if (statSync(join(top, target.entry), { throwIfNoEntry: false }) === undefined) return false;
  try {
    return readFileSync(join(top, target.folder, STAMP), "utf8") !== fingerprint(target, top);
  } catch {
    return true;
  }
}
