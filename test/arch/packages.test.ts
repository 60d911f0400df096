import { describe, expect, it } from "vitest";
import { filesBelow, importsOf, projectFolder, readSource } from "./source-tree.ts";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
}

const manifest = JSON.parse(readSource("package.json")) as Manifest;
const lock = JSON.parse(readSource("package-lock.json")) as {
  packages: Record<string, { version: string; dependencies?: object; devDependencies?: object }>;
};
/** A second major under another name is written `npm:NAME@VERSION`. */
const versionOf = (written: string): string => written.replace(/^npm:(@[^@]+|[^@]+)@/, "");
const all = Object.fromEntries(
  Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).map(([name, written]) => [
    name,
    versionOf(written),
  ]),
);

describe("packages", () => {
  it("are pinned to one version: a newer one is a change like any other", () => {
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it("stand in the lock as in the manifest", () => {
    expect(lock.packages[""]).toMatchObject({
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
    });
    for (const [name, version] of Object.entries(all)) {
      expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });

  it("are declared where the gateway imports them", () => {
    const imported = filesBelow("gateway", [".ts"]).flatMap((path) => importsOf(readSource(path)));
    const names = imported
      .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
      .map((specifier) =>
        specifier
          .split("/")
          .slice(0, specifier.startsWith("@") ? 2 : 1)
          .join("/"),
      );
    const undeclared = [...new Set(names)].filter((name) => manifest.dependencies[name] === undefined);
    expect(undeclared, `dependencies of ${projectFolder}`).toEqual([]);
  });

  it("bring the runtime, so that an older Node can start Postern", () => {
    expect(manifest.devDependencies["node"]).toMatch(/^24\./);
    expect(manifest.scripts["start"]).toMatch(/^node (--[\w=-]+ )*main\/start\.mjs$/);
  });
});
