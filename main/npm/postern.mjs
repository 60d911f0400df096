#!/usr/bin/env node
/**
 * `postern` as installed from npm: without arguments it starts Postern and opens its pages; with arguments it is the
 * command for a running one. All dependencies are bundled.
 */
/** @type {readonly [major: number, minor: number]} */
const OLDEST = [22, 13];

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(
    `Postern needs Node ${OLDEST.join(".")} or newer; this is ${process.version}. Install one from nodejs.org.`,
  );
  process.exit(1);
}

const { createRequire, enableCompileCache } = process.getBuiltinModule("node:module");
const { spawn } = process.getBuiltinModule("node:child_process");
enableCompileCache?.();
const load = createRequire(import.meta.url);

// Node 22 calls its SQLite experimental on each start; what Postern uses of it is tested there.
const { emitWarning } = process;
process.emitWarning = /** @param {unknown[]} words */ (...words) => {
  if (!String(words[0]).includes("SQLite")) Reflect.apply(emitWarning, process, words);
};

/** The command as people type it, for hints and errors. */
process.env["POSTERN_COMMAND"] ??= process.env["npm_command"] === "exec" ? "npx postern" : "postern";

process.env["POSTERN_LAUNCHER"] ??= process.argv[1];

const argv = process.argv.slice(2);
const [first = ""] = argv;
const isStart = first === "" || (first.startsWith("-") && first !== "--help" && first !== "-h");

/**
 * Runs a command of the bundle.
 * @param {readonly string[]} words
 * @param {(line: string) => void} out
 * @param {(line: string) => void} error
 * @returns {Promise<number>} The exit code.
 */
const runCommand = (words, out, error) =>
  load("./out/command/postern.cjs").runPostern(words, process.env, { input: process.stdin, out, error });

/** @param {string} option */
const findValue = (option) => {
  const at = argv.findIndex((word) => word === option || word.startsWith(`${option}=`));
  if (at === -1) return undefined;
  const [word = "", next] = argv.slice(at);
  return word === option ? next : word.slice(option.length + 1);
};

/** Opens the pages if a terminal with a screen started it. @param {string} address */
function openPages(address) {
  const hasScreen = process.platform !== "linux" || process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"];
  if (argv.includes("--headless") || !process.stdout.isTTY || !hasScreen) return;
  const [program, ...words] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  spawn(program, [...words, address], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}

/** @returns {Promise<string | null>} An address of the pages of a Postern that runs on the data folder. */
async function findRunning() {
  const folder = findValue("--data-dir");
  /** @type {string[]} */
  const lines = [];
  const words = ["open", "--json", ...(folder === undefined ? [] : ["--data-dir", folder])];
  const code = await runCommand(
    words,
    (line) => lines.push(line),
    () => undefined,
  );
  return code === 0 ? JSON.parse(lines.join("")).url : null;
}

if (isStart) {
  const running = await findRunning();
  if (running !== null) openPages(running);
  const { runHeadless } = load("./out/gateway/headless.cjs");
  await runHeadless(argv, process.env, undefined, openPages);
} else {
  // `postern usage | head` closes the pipe early; that is no failure.
  process.stdout.on("error", () => process.exit());
  process.exitCode = await runCommand(
    argv,
    (line) => process.stdout.write(`${line}\n`),
    (line) => process.stderr.write(`${line}\n`),
  );
}
