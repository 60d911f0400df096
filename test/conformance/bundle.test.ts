import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { McpServer } from "@modelcontextprotocol/server";
import { beforeAll, describe, expect, it } from "vitest";
import { targets } from "../../main/launch/targets.mjs";
import { filesBelow, projectFolder, readSource } from "../arch/source-tree.ts";
import { fixtures } from "./fixtures/extension.ts";

/** What electron-builder packs (test/main/electron-builder.test.ts holds it to these). */
const PACKED = ["desktop", "renderer"] as const;

/** Names of everything that the fixtures register, and addresses of their resources. */
function fixtureNames(): string[] {
  const names: string[] = [];
  const note = (name: string, uri?: unknown): void => {
    names.push(name, ...(typeof uri === "string" ? [uri] : []));
  };
  const recorder = {
    registerTool: (name: string) => note(name),
    registerPrompt: (name: string) => note(name),
    registerResource: note,
    server: { registerCapabilities: () => undefined, setRequestHandler: () => undefined },
  };
  const quiet = () => undefined;
  fixtures.register(recorder as unknown as McpServer, {
    toolsChanged: quiet,
    promptsChanged: quiet,
    resourcesChanged: quiet,
    resourceUpdated: quiet,
  });
  return names;
}

describe("what is packed", () => {
  // Builds what is stale: nothing after the build stage of `npm test`.
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ["main/build.mjs", ...PACKED], { cwd: projectFolder });
  }, 120_000);

  it("has the tool server in it, and nothing of the conformance fixtures", () => {
    const files = PACKED.flatMap((name) => filesBelow(targets[name].folder, [".mjs", ".cjs", ".js", ".html"]));
    const code = files.map((path) => readSource(path)).join("\n");
    // The generic words among the names of resources stand in other code too.
    const names = fixtureNames().filter((name) => name !== "template");
    expect(names.length).toBeGreaterThan(35);
    expect(code).toContain("generate_video");
    expect(names.filter((name) => code.includes(name))).toEqual([]);
  });
});

it("is set by no source of the product: the hook for fixtures is there for tests", () => {
  const sources = ["gateway", "main", "renderer"].flatMap((folder) => filesBelow(folder, [".ts", ".tsx", ".mjs"]));
  const named = sources.filter((path) => /\bextendMcp\b/.test(readSource(path)));
  expect(named).toEqual(["gateway/gateway-options.ts", "gateway/index.ts"]);
  expect(readSource("gateway/index.ts").match(/\bextendMcp\b.*/g)).toEqual(["extendMcp ?? null,"]);
});
