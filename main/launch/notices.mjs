import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "./targets.mjs";

/** The file in a built folder with what others wrote of it, and their licences. */
export const NOTICES = "third-party.txt";

/**
 * Licences that a package's own file does not have: LAME and its licence, compiled into the MP3 encoder.
 * @type {Readonly<Record<string, string>>}
 */
const ALSO = { "wasm-media-encoders": "docs/licenses/LGPL-2.0.txt" };

/**
 * Lists every package that bundled modules come from, with its source and its licence as it came.
 * @param {Iterable<string>} modules The bundler's ids.
 * @returns {Promise<string>} Empty without packages of others.
 */
export async function collectNotices(modules) {
  const folders = new Set();
  for (const id of modules) {
    const folder = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
    if (folder !== undefined) folders.add(folder);
  }
  const notices = await Promise.all([...folders].map(readNotice));
  return notices.toSorted().join(`\n${"-".repeat(80)}\n\n`);
}

/** @param {string} folder */
async function readNotice(folder) {
  const { name, version, license, repository, homepage } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  );
  const source = repository?.url ?? repository ?? homepage ?? `https://www.npmjs.com/package/${name}`;
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).toSorted();
  const paths = files.map((file) => join(folder, file));
  if (Object.hasOwn(ALSO, name)) paths.push(join(projectFolder, ALSO[name] ?? ""));
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  return [`${name} ${version} (${license})\n${source}\n`, ...texts.map((text) => `${text.trim()}\n`)].join("\n");
}
