import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The peers' versions. The override: @portkey-ai/gateway 1.15.2 with the @hono/node-server that npm would choose
 * answers every streamed call with 500 (docs/benchmarks.md#method).
 */
const MANIFEST = {
  private: true,
  dependencies: { "@portkey-ai/gateway": "1.15.2", "@musistudio/llms": "1.0.53" },
  overrides: { "@hono/node-server": "1.3.3" },
};

/** What else they run on; named in the results because their own ranges let npm choose. */
const TOLD = ["@portkey-ai/gateway", "@hono/node-server", "hono", "@musistudio/llms", "fastify", "undici"] as const;

/** Installs the peers into `folder`. @returns the versions that are there. */
export function installPeers(folder: string): Record<string, string> {
  writeFileSync(join(folder, "package.json"), JSON.stringify(MANIFEST));
  const done = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });
  if (done.status !== 0) throw new Error(`The peers cannot be installed into ${folder}: ${done.stderr.toString()}`);
  return Object.fromEntries(TOLD.map((name) => [name, versionOf(folder, name)]));
}

function versionOf(folder: string, name: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
  const version = (manifest as { version?: unknown }).version;
  return typeof version === "string" ? version : "unknown";
}
