import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { findElectron } from "../launch/electron.mjs";
import { projectFolder } from "../launch/targets.mjs";
import { listArtefacts } from "./artefacts.mjs";

/**
 * `npm run release:check [-- FOLDER]`: builds the parts of a release that can be built here, installs each in a clean
 * place, starts it, sends a request, uninstalls it and reports leftovers. Exits with 1 if a built part fails.
 */
const READY_MS = 60_000;
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const out = process.argv[2] ?? join(projectFolder, "release");

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} [absent] Why it cannot be made here.
 * @property {(place: Place) => Promise<Installed> | Installed} [install]
 *
 * @typedef {object} Installed
 * @property {string} program
 * @property {readonly string[]} [words] Before its options.
 * @property {() => void} uninstall
 *
 * @typedef {object} Place A clean home.
 * @property {string} folder
 * @property {NodeJS.ProcessEnv} env
 */

/** @param {string} command @param {readonly string[]} words @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options] */
function run(command, words, options = {}) {
  const shell = process.platform === "win32";
  const { status, stdout, stderr, error } = spawnSync(command, words, { ...options, encoding: "utf8", shell });
  const lines = `${stdout}${stderr}`.trim().split("\n");
  if (status !== 0) throw new Error(`${command} ${words[0]} failed: ${error?.message ?? lines.slice(-3).join(" ")}`);
  return stdout;
}

/** Starts it on an empty folder and sends the sandbox a request. @param {Installed} installed @param {Place} place */
async function tryRequest({ program, words = [] }, { folder, env }) {
  const options = ["--headless", "--port", "0", "--data-dir", join(folder, "data"), "--json"];
  const child = spawn(program, [...words, ...options], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  let reason = "";
  createInterface({ input: child.stderr }).on("line", (line) => (reason = line));
  const started = performance.now();
  try {
    const failed = ended.then(([code]) => Promise.reject(new Error(`it ended with ${code}: ${reason}`)));
    const signal = AbortSignal.timeout(READY_MS);
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line", { signal }), failed]);
    failed.catch(() => undefined);
    const { url } = JSON.parse(line);
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${env["POSTERN_API_KEY"]}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "gpt-5.4-mini", messages: [{ role: "user", content: "Hello" }] }),
    });
    const body = /** @type {{ choices?: { message?: { content?: string } }[] }} */ (await response.json());
    if (!response.ok || !body.choices?.[0]?.message?.content) throw new Error(`it responded ${response.status}`);
    return Math.round(performance.now() - started);
  } finally {
    child.kill("SIGTERM");
    await ended.catch(() => undefined);
  }
}

/** @param {string} folder @returns {Promise<string[]>} Top entries that are there, relative. */
async function listLeft(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => relative(folder, entry.parentPath));
  return [...new Set(files.map((path) => path.split(/[/\\]/).slice(0, 2).join("/") || "."))].toSorted();
}

/** @type {Part} */
const npmPackage = {
  name: "npm package",
  install({ folder, env }) {
    run(process.execPath, [join(projectFolder, "main/package-npm.mjs"), out]);
    const tarball = join(out, listArtefacts(version).find(({ kind }) => kind === "npm")?.file ?? "");
    const prefix = join(folder, "npm");
    const global = ["--global", "--prefix", prefix, "--no-audit", "--no-fund", "--offline"];
    run(npm, ["install", ...global, tarball], { env });
    const script = join(prefix, process.platform === "win32" ? "" : "lib", "node_modules/postern/postern.mjs");
    return {
      program: process.execPath,
      words: [script],
      uninstall: () => void run(npm, ["uninstall", ...global, "postern"], { env }),
    };
  },
};

/** @returns {Part} The desktop app as it lies in a package, without its installer. */
function unpackedApp() {
  const name = "desktop app, unpacked";
  const electron = findElectron(projectFolder, process.env);
  if (electron === null) return { name, absent: "Electron's binary is not installed" };
  if (process.platform !== "linux") return { name, absent: "the release workflow checks it on this system" };
  return {
    name,
    async install({ folder }) {
      const target = join(folder, "app");
      const options = [`directories.output=${target}`, `electronDist=${dirname(electron)}`];
      run(process.execPath, [join(projectFolder, "main/build.mjs")]);
      run("npx", ["electron-builder", "--dir", "--publish", "never", ...options.map((each) => `-c.${each}`)], {
        cwd: projectFolder,
        env: { ...process.env, CSC_IDENTITY_AUTO_DISCOVERY: "false" },
      });
      return {
        program: join(target, "linux-unpacked/postern"),
        uninstall: () => void run("rm", ["-r", target]),
      };
    },
  };
}

/** @returns {Part} */
function image() {
  const name = "container image";
  const tool = ["docker", "podman"].find((each) => spawnSync(each, ["info"]).status === 0);
  if (tool === undefined) return { name, absent: "neither Docker nor Podman runs here" };
  return {
    name,
    async install({ folder }) {
      run(tool, ["build", "-f", "deploy/Dockerfile", "-t", "postern-check", "."], { cwd: projectFolder });
      await mkdir(join(folder, "data"));
      await chmod(join(folder, "data"), 0o777);
      return {
        program: tool,
        words: [
          "run",
          "--rm",
          "--init",
          "--network",
          "host",
          "-e",
          "POSTERN_API_KEY",
          "-v",
          `${join(folder, "data")}:${join(folder, "data")}`,
          "postern-check",
        ],
        uninstall: () => void run(tool, ["image", "rm", "postern-check"]),
      };
    },
  };
}

const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
const { version } = manifest;
let failures = 0;
for (const { name, absent, install } of [npmPackage, unpackedApp(), image()]) {
  if (install === undefined) {
    console.log(`${name}: not made here, ${absent}`);
    continue;
  }
  const folder = await mkdtemp(join(tmpdir(), "postern-release-"));
  const key = `sk-${randomBytes(24).toString("base64url")}`;
  const clean = { HOME: folder, USERPROFILE: folder, POSTERN_SANDBOX: "on", POSTERN_API_KEY: key };
  const place = { folder, env: { ...process.env, ...clean } };
  try {
    const installed = await install(place);
    const ms = await tryRequest(installed, place);
    installed.uninstall();
    if (existsSync(installed.words?.[0] ?? installed.program)) throw new Error("its program stays after the uninstall");
    console.log(`${name}: first response after ${ms} ms; stays: ${(await listLeft(folder)).join(", ")}`);
  } catch (error) {
    failures += 1;
    console.log(`${name}: FAILED, ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
process.exitCode = failures === 0 ? 0 : 1;
