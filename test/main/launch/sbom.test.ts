import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { collectNotices } from "../../../main/launch/notices.mjs";
import { createSbom, type Lock } from "../../../main/launch/sbom.mjs";
import { projectFolder } from "../../../main/launch/targets.mjs";

const lock = JSON.parse(readFileSync(join(projectFolder, "package-lock.json"), "utf8")) as Lock & {
  packages: Record<string, { dev?: boolean; optional?: boolean }>;
};
/** Every library that could be bundled: those of the gateway, and React for the pages. */
const folders = Object.entries(lock.packages)
  .filter(([path, { dev, optional }]) => path !== "" && dev !== true && optional !== true)
  .map(([path]) => path)
  .concat("node_modules/react");
const moduleIn = (folder: string): string => join(projectFolder, folder, "index.js");

interface Component {
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly { readonly content: string }[];
  readonly licenses?: readonly { readonly expression: string }[];
}
const componentsOf = (...given: Parameters<typeof createSbom>): Component[] =>
  (createSbom(...given) as { components: Component[] }).components;

it("lists every bundled library once, with its licence and checksum, and none that is not bundled", async () => {
  const half = folders.length >> 1;
  // Two bundles that share some: a library in both is listed once.
  const notices = await Promise.all(
    [folders.slice(0, half + 5), folders.slice(half)].map((some) => collectNotices(some.map(moduleIn))),
  );
  const found = componentsOf(notices, lock);
  const wanted = new Set(
    folders.map((path) => `${path.split("node_modules/").at(-1)}@${lock.packages[path]?.version}`),
  );
  const electron = `electron@${lock.packages["node_modules/electron"]?.version}`;
  expect(found.map(({ name, version }) => `${name}@${version}`).toSorted()).toStrictEqual(
    [...wanted, electron].toSorted(),
  );
  expect(folders.length).toBeGreaterThan(100);
  for (const { name, hashes, licenses } of found.filter(({ name }) => name !== "electron")) {
    expect(hashes?.[0]?.content, name).toMatch(/^[0-9a-f]{128}$/);
    expect(licenses?.[0]?.expression, name).toMatch(/^[\w().+ -]+$/);
  }
});

it("refuses a library that the lock file does not vouch for", async () => {
  const notices = [await collectNotices([moduleIn("node_modules/koa")])];
  expect(() => createSbom(notices, { packages: {} })).toThrow(/koa 3\.\S+ is bundled/);
});
