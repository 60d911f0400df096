/**
 * The files of a release: the single list used by package manager files, the release check and the guide.
 *
 * @typedef {object} Artefact
 * @property {"npm" | "dmg" | "zip" | "exe" | "AppImage" | "deb" | "rpm"} kind
 * @property {"any" | "mac" | "win" | "linux"} system
 * @property {"any" | "x64" | "arm64"} arch
 * @property {string} file
 */

/** electron-builder's names for x64 and arm64 (builder-util 26, `getArtifactArchName`; a test compares them). */
const SPELLED = {
  deb: { x64: "amd64", arm64: "arm64" },
  rpm: { x64: "x86_64", arm64: "aarch64" },
  AppImage: { x64: "x86_64", arm64: "arm64" },
};

/** @type {readonly (readonly ["mac" | "win" | "linux", Artefact["kind"]])[]} */
const PACKAGES = [
  ["mac", "dmg"],
  ["mac", "zip"],
  ["win", "exe"],
  ["linux", "AppImage"],
  ["linux", "deb"],
  ["linux", "rpm"],
];

/**
 * @param {string} version Without `v`.
 * @returns {readonly Artefact[]}
 */
export function listArtefacts(version) {
  const packages = PACKAGES.flatMap(([system, kind]) =>
    /** @type {const} */ (["x64", "arm64"]).map((arch) => {
      const spelled = kind in SPELLED ? SPELLED[/** @type {keyof typeof SPELLED} */ (kind)][arch] : arch;
      return { kind, system, arch, file: `Postern-${version}-${system}-${spelled}.${kind}` };
    }),
  );
  return [{ kind: "npm", system: "any", arch: "any", file: `postern-${version}.tgz` }, ...packages];
}

/**
 * Finds a file of the list.
 * @param {string} version
 * @param {Artefact["kind"]} kind
 * @param {Artefact["arch"]} arch
 * @throws Error if the list has none
 */
export function findArtefact(version, kind, arch) {
  const found = listArtefacts(version).find((each) => each.kind === kind && each.arch === arch);
  if (found === undefined) throw new Error(`A release has no ${kind} for ${arch}.`);
  return found.file;
}
