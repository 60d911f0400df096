/** Every file of an archive has to be one of these; a bundle's chunks have a hash in their names. */
const ALLOWED = [
  /^package\.json$/,
  /^out\/main\/(index\.mjs|app\.mjs|command\.mjs|preload\.cjs|icon\.png|(?:ledger-)?worker\.cjs|third-party\.txt)$/,
  /^out\/main\/[\w.-]+-[\w-]{8}\.(mjs|cjs|wasm)$/,
  /^out\/renderer\/(index\.html|third-party\.txt)$/,
  /^out\/renderer\/assets\/[\w.-]+-[\w-]{8}\.(js|css|svg|png|woff2)$/,
  /^out\/renderer\/guide\/([\w-]+\.html|guide\.css)$/,
];

const ENTRIES = [
  "package.json",
  "out/main/index.mjs",
  "out/main/app.mjs",
  "out/main/command.mjs",
  "out/main/preload.cjs",
  "out/renderer/index.html",
  "out/renderer/guide/index.html",
];

/**
 * What is wrong with the list of an archive's files: anything that is not a bundle, such as sources, tests, fixtures,
 * maps or modules, and entries that are missing.
 * @param {readonly string[]} files Relative, with forward slashes.
 * @returns {string[]} Sentences; none when all is well.
 */
export function wrongFiles(files) {
  const foreign = files.filter((file) => !ALLOWED.some((pattern) => pattern.test(file)));
  const missing = ENTRIES.filter((entry) => !files.includes(entry));
  return [...foreign.map((file) => `${file} is packed`), ...missing.map((file) => `${file} is missing`)];
}
