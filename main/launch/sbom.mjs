import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NOTICES } from "./notices.mjs";
import { projectFolder, targets } from "./targets.mjs";

/**
 * `node main/launch/sbom.mjs`, by Node 24 and after a build: writes the contents of the desktop package to standard
 * output, as CycloneDX 1.6. `npm sbom` lists installed packages: including unbundled libraries, and without those
 * bundled into the pages. This script lists the bundled ones, and Electron. It contains no time or machine, so that the
 * build is reproducible.
 */

/**
 * @typedef {object} Lock
 * @property {Record<string, { version?: string, integrity?: string, name?: string }>} packages
 */

/**
 * @param {readonly string[]} notices Texts of notices.mjs, one for each bundle.
 * @param {Lock} lock What package-lock.json says.
 * @returns {object} The document.
 * @throws {Error} when a library is not in the lock file, or has no checksum there.
 */
export function createSbom(notices, lock) {
  const libraries = new Map(notices.flatMap(listLibraries).map((library) => [library.purl, library]));
  const electron = lock.packages["node_modules/electron"]?.version ?? "";
  const own = { name: "postern", version: lock.packages[""]?.version ?? "" };
  const components = [
    ...[...libraries.values()].map(({ license, source, ...library }) => ({
      type: "library",
      "bom-ref": library.purl,
      ...library,
      licenses: [{ expression: license }],
      hashes: [{ alg: "SHA-512", content: readChecksum(library, lock) }],
      externalReferences: [{ type: "distribution", url: source }],
    })),
    // Electron's parts, Chromium's among them, are named in LICENSES.chromium.html next to the executable.
    {
      type: "framework",
      "bom-ref": `pkg:npm/electron@${electron}`,
      name: "electron",
      version: electron,
      purl: `pkg:npm/electron@${electron}`,
    },
  ];
  const ref = `pkg:npm/${own.name}@${own.version}`;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", "bom-ref": ref, ...own } },
    components: components.toSorted((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1)),
  };
}

/** @param {string} notices */
function listLibraries(notices) {
  if (notices === "") return [];
  // Notices are joined by noticesFor: a licence may also have a line of dashes, but not followed by such a heading.
  return notices.split(/^-{80}\n\n(?=\S+ \S+ \(.+\)\n\S+\n)/m).map((notice) => {
    const [, name = "", version = "", license = "", source = ""] = /^(\S+) (\S+) \((.+)\)\n(\S+)\n/.exec(notice) ?? [];
    return { name, version, license, source, purl: `pkg:npm/${name.replace("@", "%40")}@${version}` };
  });
}

/**
 * @param {{ name: string, version: string }} library
 * @param {Lock} lock
 * @returns {string} Of the package's archive at npm, in hexadecimal.
 */
function readChecksum({ name, version }, lock) {
  const entry = Object.entries(lock.packages).find(
    ([path, found]) => (found.name ?? path.split("node_modules/").at(-1)) === name && found.version === version,
  );
  const base64 = /^sha512-(\S+)$/.exec(entry?.[1].integrity ?? "")?.[1];
  if (base64 === undefined) throw new Error(`${name} ${version} is bundled, and the lock file has no checksum of it.`);
  return Buffer.from(base64, "base64").toString("hex");
}

if (import.meta.main) {
  const read = (/** @type {string} */ path) => readFileSync(join(projectFolder, path), "utf8");
  const notices = [targets.desktop, targets.renderer].map(({ folder }) => read(join(folder, NOTICES)));
  process.stdout.write(`${JSON.stringify(createSbom(notices, JSON.parse(read("package-lock.json"))), null, 2)}\n`);
}
