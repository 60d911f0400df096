import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nginxProxyConfig } from "./nginx.ts";

/** Who takes part. `direct` is the mock itself; `postern-no-limit` is Postern with a key that has no USD limit. */
export const CONTENDERS = ["direct", "nginx", "portkey", "llms", "postern", "postern-no-limit"] as const;
export type ContenderName = (typeof CONTENDERS)[number];

/** How one contender is started in front of a mock. */
export interface Launch {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** How to ask it. */
export interface Asking {
  readonly path: string;
  readonly model: string;
  /** Beside content-type and authorization. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a contender is started with. */
export interface Place {
  readonly port: number;
  readonly upstreamPort: number;
  /** The mock streams. */
  readonly streamed: boolean;
  /** The contender's own, to keep what it likes. */
  readonly folder: string;
  /** Has the peers in its node_modules. */
  readonly peers: string;
}

const PATH = "/v1/chat/completions";
const MODEL = "gpt-4o-mini";
const projectFolder = join(import.meta.dirname, "../../..");

/** How to ask a contender for a chat completion. */
export function askingOf(name: ContenderName, upstreamPort: number): Asking {
  if (name === "portkey") {
    const headers = { "x-portkey-provider": "openai", "x-portkey-custom-host": `http://127.0.0.1:${upstreamPort}/v1` };
    return { path: PATH, model: MODEL, headers };
  }
  return { path: PATH, model: name === "llms" ? `mock,${MODEL}` : MODEL, headers: {} };
}

/** How to start a contender. */
export function launchOf(name: Exclude<ContenderName, "direct">, place: Place): Launch {
  const { port, upstreamPort, streamed, folder, peers } = place;
  const node = process.execPath;
  switch (name) {
    case "nginx": {
      const config = join(folder, "proxy.conf");
      writeFileSync(config, nginxProxyConfig(folder, port, upstreamPort, streamed));
      return { command: ["nginx", "-c", config] };
    }
    case "portkey":
      return {
        command: [
          node,
          join(peers, "node_modules/@portkey-ai/gateway/build/start-server.js"),
          `--port=${port}`,
          "--headless",
        ],
      };
    case "llms": {
      const launcher = join(import.meta.dirname, "tools/llms-server.mjs");
      return { command: [node, launcher, peers, String(port), `http://127.0.0.1:${upstreamPort}${PATH}`] };
    }
    case "postern":
    case "postern-no-limit": {
      const data = join(folder, "data");
      mkdirSync(data, { recursive: true });
      const limit = name === "postern" ? { limit_usd: 1_000_000 } : {};
      return {
        command: [...posternStart(), "--headless", "--port", String(port), "--data-dir", data],
        env: {
          POSTERN_KEYS: JSON.stringify([{ key: "sk-test-of-the-benchmarks", name: "bench", ...limit }]),
          POSTERN_OPENAI_BASE_URL: `http://127.0.0.1:${upstreamPort}/v1`,
          POSTERN_OPENAI_API_KEY: "sk-upstream",
        },
      };
    }
  }
}

/** What `npm start` runs, with its options for Node, without npm in between. */
function posternStart(): string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
  const { start } = (manifest as { scripts: { start: string } }).scripts;
  const words = start.split(" ").map((word) => (word.endsWith(".mjs") ? join(projectFolder, word) : word));
  if (words.shift() !== "node") throw new Error(`npm start is not one call of node any more: ${start}`);
  return [process.execPath, ...words];
}
