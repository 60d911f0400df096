import { describe, expect, it } from "vitest";
import { STAMP, fingerprint, isStale, targets } from "../../../main/launch/targets.mjs";
import { makeProject } from "./project.ts";

const { gateway } = targets;
const sources = { "gateway/headless.ts": "export {};", "gateway/core/a.ts": "export const a = 1;" };

describe("a target's fingerprint", () => {
  it("stays while nothing changes", async () => {
    await using project = await makeProject(sources);
    expect(fingerprint(gateway, project.folder)).toBe(fingerprint(gateway, project.folder));
  });

  it.each([
    ["a changed file", "gateway/core/a.ts", "export const a = 22;"],
    ["a new file", "gateway/core/b.ts", ""],
    ["a changed lock", "package-lock.json", '{"name":"other"}'],
  ])("changes with %s", async (_, path, content) => {
    await using project = await makeProject(sources);
    const before = fingerprint(gateway, project.folder);
    await project.write(path, content);
    expect(fingerprint(gateway, project.folder)).not.toBe(before);
  });

  it("changes with a removed file, which no newest time shows", async () => {
    await using project = await makeProject(sources);
    const before = fingerprint(gateway, project.folder);
    await project.remove("gateway/core/a.ts");
    expect(fingerprint(gateway, project.folder)).not.toBe(before);
  });

  it("does not change with what the target is not made from", async () => {
    await using project = await makeProject(sources);
    const before = fingerprint(gateway, project.folder);
    await project.write("renderer/app.tsx", "");
    await project.write("out/gateway/headless.cjs", "");
    expect(fingerprint(gateway, project.folder)).toBe(before);
  });
});

describe("a target", () => {
  it("is stale until its stamp says what its sources are", async () => {
    await using project = await makeProject(sources);
    expect(isStale(gateway, project.folder)).toBe(true);
    await project.write(`${gateway.folder}/${STAMP}`, fingerprint(gateway, project.folder));
    expect(isStale(gateway, project.folder)).toBe(false);
    await project.write("gateway/core/a.ts", "export const a = 22;");
    expect(isStale(gateway, project.folder)).toBe(true);
  });

  it("without its entry is not asked for", async () => {
    await using project = await makeProject();
    expect(isStale(gateway, project.folder)).toBe(false);
  });
});
