import { spawn } from "node:child_process";
import { connect } from "node:net";
import { join } from "node:path";

/**
 * Electron's package has no install script: its binary is downloaded by its own `install.js`, once. If the server is
 * unreachable, that script retries for half a minute; so it is only run if a connection opens, and never in CI.
 */

const PROBE_MS = 3_000;
const DOWNLOAD_MS = 600_000;

/**
 * Returns the first host of the download: the proxy if set, else the mirror, else GitHub.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {URL}
 */
export function downloadOrigin(environment) {
  const proxy = environment["HTTPS_PROXY"] || environment["https_proxy"];
  const mirror = environment["ELECTRON_MIRROR"] || environment["npm_config_electron_mirror"];
  for (const address of [proxy, mirror]) if (address && URL.canParse(address)) return new URL(address);
  return new URL("https://github.com/");
}

/**
 * @param {URL} origin
 * @returns {Promise<boolean>} Whether a connection opened in time.
 */
export function isReachable(origin, limit = PROBE_MS) {
  const port = Number(origin.port) || (origin.protocol === "http:" ? 80 : 443);
  /** @type {PromiseWithResolvers<boolean>} */
  const { promise, resolve } = Promise.withResolvers();
  const socket = connect({ host: origin.hostname.replace(/^\[|\]$/g, ""), port });
  const finish = (/** @type {boolean} */ reached) => {
    clearTimeout(timer);
    socket.destroy();
    resolve(reached);
  };
  const timer = setTimeout(() => finish(false), limit);
  socket.once("connect", () => finish(true)).once("error", () => finish(false));
  return promise;
}

/**
 * Runs Electron's own installer; its checksums are pinned in the package.
 * @param {string} folder Of the project.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<string | null>} What went wrong, or null when the binary is there now.
 */
export async function fetchElectron(folder, environment) {
  if (environment["CI"]) return "it is not fetched in CI";
  const origin = downloadOrigin(environment);
  if (!(await isReachable(origin))) return `${origin.host} cannot be reached to fetch it`;
  console.error("Fetching Electron's binary, about 130 MB, once…");
  const installer = join(folder, "node_modules/electron/install.js");
  const child = spawn(process.execPath, [installer], { stdio: "ignore", timeout: DOWNLOAD_MS });
  /** @type {PromiseWithResolvers<string | null>} */
  const { promise, resolve } = Promise.withResolvers();
  child.once("error", (error) => resolve(`its installer did not run: ${error.message}`));
  child.once("exit", (code) => resolve(code === 0 ? null : "the download failed"));
  return promise;
}
