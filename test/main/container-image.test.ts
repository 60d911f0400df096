import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

/** What goes into a container image, read from its recipe where no Docker daemon runs. */
const project = join(import.meta.dirname, "../..");
const read = (name: string): Promise<string> => readFile(join(project, name), "utf8");

/** Whether a file is sent to the builder. All is left out but for what follows `!`: the test fails on any other rule. */
async function contextOf(): Promise<(path: string) => boolean> {
  const rules = (await read(".dockerignore")).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(rules[0]).toBe("*");
  const stored = rules.slice(1).map((rule) => /^!([\w./-]+)$/.exec(rule)?.[1] ?? expect.fail(`unknown rule: ${rule}`));
  return (path) => stored.some((name) => path === name || path.startsWith(`${name}/`));
}

interface Copy {
  readonly stage: string | null;
  readonly sources: readonly string[];
}

const copies = (recipe: string): Copy[] =>
  [...recipe.matchAll(/^COPY (?:--from=(\w+) )?(?:--chown=1000:1000 )?(.+)$/gm)].map(([, stage, words = ""]) => ({
    stage: stage ?? null,
    sources: words.split(" ").slice(0, -1),
  }));

it("sends no secrets, data, history or dependencies to the builder", async () => {
  const isSent = await contextOf();
  const secret = [
    "deploy/secrets/openai_key",
    "deploy/postern/postern.yaml",
    "deploy/.env",
    "data/secret.key",
    "secret.key",
    "postern.yaml",
    ".env",
    ".git/config",
    "node_modules/koa/package.json",
    "out/gateway/headless.cjs",
    "docs/decisions/desktop.md",
    "test/support/canaries.ts",
  ];
  expect(secret.filter(isSent)).toEqual([]);
  expect(["gateway/index.ts", "package-lock.json", "docs/guide/backups-and-restore.md"].filter(isSent)).toHaveLength(3);
});

it("builds from named sources, and keeps bundles and launchers alone", async () => {
  const isSent = await contextOf();
  const recipe = copies(await read("deploy/Dockerfile"));
  const built = recipe.filter(({ stage }) => stage === null).flatMap(({ sources }) => sources);
  for (const source of built) {
    await expect(stat(join(project, source)), source).resolves.toBeDefined();
    expect(source === "docs" || isSent(source), source).toBe(true);
  }
  const stored = recipe.filter(({ stage }) => stage === "build").flatMap(({ sources }) => sources);
  expect(stored).toEqual([
    "/app/package.json",
    "/app/LICENSE",
    "/app/THIRD-PARTY.md",
    "/app/main/start.mjs",
    "/app/main/postern.mjs",
    "/app/main/launch/*.mjs",
    "/app/out",
    "/stage/data",
    "/stage/bin",
  ]);
});

it("runs nothing in the image's own processor, so that one machine makes it for each", async () => {
  const [, last = ""] = (await read("deploy/Dockerfile")).split("FROM node:24-alpine");
  expect(last).not.toMatch(/^RUN /m);
  expect(await read("deploy/Dockerfile")).toContain("FROM --platform=$BUILDPLATFORM ");
});

it("offers git nothing of what a Postern in a clone keeps secret", async () => {
  const ignored = (await read(".gitignore")).split("\n");
  expect(ignored).toEqual(expect.arrayContaining(["deploy/secrets/", "/data/", ".env"]));
});
