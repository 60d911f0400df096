import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const folder = join(import.meta.dirname, "../../.github/workflows");
const names = readdirSync(folder);

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly environment?: string;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const text = (name: string): string => readFileSync(join(folder, name), "utf8");
const read = (name: string): Workflow => parse(text(name), { strict: true, uniqueKeys: true }) as Workflow;
const steps = (name: string): readonly Step[] => Object.values(read(name).jobs).flatMap((job) => job.steps);
const commands = (name: string): string =>
  steps(name)
    .map((step) => step.run ?? "")
    .join("\n");

it("there is one for every change and one for releases", () => {
  expect(names.toSorted()).toStrictEqual(["ci.yml", "release.yml"]);
});

describe.each(names)("%s", (name) => {
  it("gives each job what it needs and nothing beside it, and an end", () => {
    const { permissions, jobs, concurrency } = read(name);
    expect(permissions).toStrictEqual({});
    expect(concurrency).toBeDefined();
    for (const [id, job] of Object.entries(jobs)) {
      expect(job.permissions, id).toBeDefined();
      expect(job["timeout-minutes"], id).toBeLessThanOrEqual(90);
    }
  });

  it("does not run with rights of this repository what a fork wrote", () => {
    const { on, jobs } = read(name);
    for (const trigger of ["pull_request_target", "workflow_run", "issue_comment"])
      expect(on).not.toHaveProperty(trigger);
    if (!("pull_request" in on)) return;
    expect(text(name)).not.toMatch(/secrets\.|github\.token/);
    for (const job of Object.values(jobs)) {
      expect(Object.values(job.permissions ?? {}).filter((right) => right !== "read")).toStrictEqual([]);
    }
  });

  it("uses actions of one owner, each at one release, and leaves no credentials in the checkout", () => {
    for (const { uses, with: given } of steps(name)) {
      if (uses === undefined) continue;
      expect(uses).toMatch(/^actions\/[a-z-]+@(v\d+\.\d+\.\d+|[0-9a-f]{40})$/);
      if (uses.startsWith("actions/checkout@")) expect(given?.["persist-credentials"]).toBe(false);
      if (uses.startsWith("actions/setup-node@")) expect(given?.["node-version"]).toBe(24);
    }
  });

  it("puts nothing that an event says into a command", () => {
    expect(commands(name)).not.toMatch(/\$\{\{/);
  });

  it("installs what the lock file says", () => {
    expect(commands(name)).toContain("npm ci");
    expect(commands(name)).not.toMatch(/npm (install|i|update)\b/);
  });
});

describe("the release", () => {
  const job = read("release.yml").jobs;

  it("comes from a tag alone, as a draft, with secrets only where the environment gives them", () => {
    expect(read("release.yml").on).toStrictEqual({ push: { tags: ["v*"] } });
    expect(Object.entries(job).filter(([, { permissions }]) => permissions?.["contents"] === "write")).toHaveLength(1);
    expect(job["draft"]?.steps.some(({ uses }) => uses?.startsWith("actions/checkout@"))).toBe(false);
    expect(commands("release.yml")).toMatch(/gh release create .*--draft /);
    expect(job["package"]?.environment).toBe("release");
  });

  it("checks the packages and drives the app before anything is handed on", () => {
    const order = (job["package"]?.steps ?? []).map(({ uses, run }) => uses ?? run ?? "");
    const at = (part: string): number => order.findIndex((step) => step.includes(part));
    const wanted = [
      "npm ci",
      "npm run build",
      "electron-builder",
      "check-package.mjs",
      "open-for-driver.mjs",
      "attest-build-provenance",
      "upload-artifact",
    ].map(at);
    expect(wanted).toStrictEqual(wanted.toSorted((a, b) => a - b));
    expect(wanted).not.toContain(-1);
    expect(commands("release.yml")).toContain("sha256sum");
    expect(commands("release.yml")).toContain("--publish never");
  });
});
