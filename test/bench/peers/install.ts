import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch } from "node:os";
import { join } from "node:path";

/** What is installed on its own. `node`: both Node libraries without anything to compile. */
export type PeerName = "node" | "ccr" | "litellm" | "bifrost" | "ccproxy" | "codex";

/** Versions by name, or why the peer is not there. */
export type Installed = { readonly versions: Readonly<Record<string, string>> } | { readonly reason: string };

interface Recipe {
  /** What is asked for; what is there is made again when it changes. */
  readonly asks: Readonly<Record<string, string>>;
  /** Installs into an empty folder. @returns what else is worth naming, because ranges let the installer choose. */
  readonly install: (folder: string) => Record<string, string>;
}

/** A compilation of SQLite or of Bifrost takes a minute or several. */
const TIMEOUT_MS = 15 * 60_000;
const GO_ARCH = arch() === "x64" ? "amd64" : arch();

/**
 * Versions of the peers. Overrides: with the @hono/node-server that npm would choose, @portkey-ai/gateway 1.15.2
 * answers every streamed call with 500. LiteLLM 1.106.0 is the newest one whose own requirements PyPI could meet
 * (later ones want a certifi that is not there) (docs/benchmarks.md#method).
 */
const RECIPES: Readonly<Record<PeerName, Recipe>> = {
  node: {
    asks: { "@portkey-ai/gateway": "1.15.2", "@musistudio/llms": "1.0.53", "@hono/node-server": "1.3.3" },
    install(folder) {
      const { "@hono/node-server": server, ...dependencies } = this.asks;
      npmInstall(folder, { dependencies, overrides: { "@hono/node-server": server } });
      return versionsOf(folder, ["hono", "fastify", "undici"]);
    },
  },
  ccr: {
    asks: {
      "@musistudio/claude-code-router": "3.1.1",
      "better-sqlite3": "12.11.1",
      "node-forge": "1.4.0",
      undici: "7.30.2",
    },
    // Two of its dependencies are not public; what they do is in its bundle. So its tarball is laid next to the others.
    install(folder) {
      const { "@musistudio/claude-code-router": version, ...dependencies } = this.asks;
      const node = { "node-gyp": "13.1.0", [`node-linux-${arch()}`]: process.versions.node };
      npmInstall(folder, { dependencies: { ...dependencies, ...node } });
      const modules = join(folder, "node_modules");
      const gyp = [join(modules, "node-gyp/bin/node-gyp.js"), "rebuild", "--release"];
      const headers = `--nodedir=${join(modules, `node-linux-${arch()}`)}`;
      run([process.execPath, ...gyp, headers], join(modules, "better-sqlite3"));
      npmTarball(`@musistudio/claude-code-router@${version}`, join(modules, "@musistudio/claude-code-router"));
      return {};
    },
  },
  litellm: {
    asks: { litellm: "1.106.0" },
    install(folder) {
      run(["python3", "-m", "venv", "venv"], folder);
      run(["venv/bin/pip", "install", "--quiet", `litellm[proxy]==${this.asks["litellm"]}`], folder);
      const listed = JSON.parse(run(["venv/bin/pip", "list", "--format=json"], folder)) as {
        name: string;
        version: string;
      }[];
      const reports = listed.filter(({ name }) => ["fastapi", "uvicorn", "uvloop", "aiohttp"].includes(name));
      const python = run(["venv/bin/python", "--version"], folder).trim().replace("Python ", "");
      return { python, ...Object.fromEntries(reports.map(({ name, version }) => [name, version])) };
    },
  },
  bifrost: {
    asks: { "github.com/maximhq/bifrost/transports": "1.5.3" },
    install(folder) {
      const [module, version] = Object.entries(this.asks)[0] ?? [];
      run(["go", "install", `${module}/bifrost-http@v${version}`], folder, { GOBIN: join(folder, "bin") });
      return { go: run(["go", "env", "GOVERSION"], folder).trim() };
    },
  },
  ccproxy: {
    asks: { ccproxy: "0.1.0" },
    install(folder) {
      npmTarball(`ccproxy@${this.asks["ccproxy"]}`, join(folder, "package"));
      return {};
    },
  },
  codex: {
    asks: { "@openai/codex": "0.169.0" },
    install(folder) {
      // Its programs stand in a folder of a folder with the name of the platform.
      npmTarball(`@openai/codex@${this.asks["@openai/codex"]}-linux-${arch()}`, join(folder, "package"), 3);
      return {};
    },
  },
};

/** Where ccproxy's program is. */
export function ccproxyProgram(peer: string): string {
  return join(peer, `package/bin/ccproxy-linux-${GO_ARCH}`);
}

/** Where codex's program is. */
export function codexProgram(peer: string): string {
  return join(peer, "package/bin/codex");
}

/**
 * Installs a peer into its folder below `peers`, unless that has it in the version asked for, by this Node.
 * @returns its versions, or why it cannot be had.
 */
export function installPeer(peers: string, name: PeerName): Installed {
  const recipe = RECIPES[name];
  const folder = join(peers, name);
  const note = join(folder, "installed.json");
  const request = { ...recipe.asks, node: process.version };
  if (existsSync(note)) {
    const { asks, versions } = JSON.parse(readFileSync(note, "utf8")) as {
      asks: unknown;
      versions: Record<string, string>;
    };
    if (JSON.stringify(asks) === JSON.stringify(request)) return { versions };
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const versions = { ...recipe.asks, ...recipe.install(folder) };
    writeFileSync(note, JSON.stringify({ asks: request, versions }));
    return { versions };
  } catch (error) {
    return { reason: `cannot be installed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** @throws Error with the last lines of what the program said. @returns its standard output. */
function run(command: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): string {
  const [program = "", ...args] = command;
  const done = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    maxBuffer: 2 ** 28,
  });
  if (done.status === 0) return done.stdout;
  const text = done.error?.message ?? done.stderr.trim().split("\n").slice(-4).join(" ");
  throw new Error(`${program} ${args.join(" ")}: ${text.slice(0, 500)}`);
}

function npmInstall(folder: string, manifest: object): void {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...manifest }));
  run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"], folder);
}

/** Lays a package's own files into `folder`, without what it depends on. @param strip levels of folders to leave out. */
function npmTarball(name: string, folder: string, strip = 1): void {
  mkdirSync(folder, { recursive: true });
  const file = run(["npm", "pack", "--silent", "--ignore-scripts", name], folder).trim();
  run(["tar", "xzf", file, `--strip-components=${strip}`], folder);
  rmSync(join(folder, file));
}

function versionsOf(folder: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const manifest: unknown = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
      return [name, (manifest as { version: string }).version];
    }),
  );
}
