import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };

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
  readonly needs?: string | readonly string[];
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

it("there is one for every change, one for releases and one for published releases", () => {
  expect(names.toSorted()).toStrictEqual(["ci.yml", "publish.yml", "release.yml"]);
});

describe.each(names)("%s", (name) => {
  it("gives each job what it needs and nothing next to it, and an end", () => {
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

  it("uses actions of one owner, each at one commit whose release stands after it", () => {
    const lines = [...text(name).matchAll(/uses: (.*)/g)].map(([, used]) => used);
    expect(lines).toHaveLength(steps(name).filter(({ uses }) => uses !== undefined).length);
    for (const used of lines) expect(used).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("leaves no credentials in the checkout, and builds by Node 24", () => {
    const given = (action: string, option: string): unknown[] =>
      steps(name).flatMap((step) => (step.uses?.startsWith(`${action}@`) === true ? [step.with?.[option]] : []));
    expect(new Set([...given("actions/checkout", "persist-credentials"), false])).toEqual(new Set([false]));
    expect(new Set([...given("actions/setup-node", "node-version"), 24])).toEqual(new Set([24]));
  });

  it("puts nothing that an event says into a command", () => {
    expect(commands(name)).not.toMatch(/\$\{\{/);
  });

  it("installs what the lock file says", () => {
    if (name !== "publish.yml") expect(commands(name)).toContain("npm ci");
    expect(commands(name)).not.toMatch(/npm (install|i|update)\b/);
  });
});

describe("the publication", () => {
  const job = read("publish.yml").jobs;
  const of = (id: string): string => (job[id]?.steps ?? []).map(({ uses, run }) => uses ?? run ?? "").join("\n");

  it("follows a release that a person has published", () => {
    expect(read("publish.yml").on).toStrictEqual({ release: { types: ["published"] } });
  });

  it("gives tokens to a job that runs nothing of the project", () => {
    const secret = Object.keys(job).filter((id) => JSON.stringify(job[id]).includes("secrets."));
    expect(secret).toStrictEqual(["hand-over"]);
    for (const id of ["npm", "hand-over"]) expect(of(id)).not.toMatch(/checkout@|npm (?:ci|run)|node /);
  });

  it("publishes the checked file to npm, signed by the workflow", () => {
    expect(job["npm"]?.permissions).toStrictEqual({ contents: "read", "id-token": "write" });
    expect(of("npm")).toMatch(/sha256sum --check[^]*npm publish \.\/postern-\*\.tgz --provenance/);
  });

  it("names the image by its digest and attests it", () => {
    expect(of("image")).toContain("--platform linux/amd64,linux/arm64 --push");
    expect(of("hand-over")).toContain('@$DIGEST" > image.txt');
    const attest = job["image"]?.steps.find(({ uses }) => uses?.includes("attest-build-provenance@") === true);
    expect(attest?.with).toMatchObject({ "push-to-registry": true });
  });
});

describe("the release", () => {
  const job = read("release.yml").jobs;
  const of = (id: string): string => (job[id]?.steps ?? []).map(({ uses, run }) => uses ?? run ?? "").join("\n");

  it("comes from a tag alone, as a draft", () => {
    expect(read("release.yml").on).toStrictEqual({ push: { tags: ["v*"] } });
    expect(of("draft")).toMatch(/gh release create .*--draft /);
    expect(commands("release.yml")).toContain("--publish never");
  });

  it("gives secrets to the job that signs, which runs no script of a dependency and no test", () => {
    const secret = Object.keys(job).filter((id) => JSON.stringify(job[id]).includes("secrets."));
    expect(secret).toStrictEqual(["sign"]);
    expect(job["sign"]?.environment).toBe("release");
    expect(of("sign")).toContain("npm ci --ignore-scripts");
    expect(of("sign")).not.toMatch(/npm (run|test|start)|vitest|check-package/);
  });

  it("lets only a job without any code of the project or of npm speak for it", () => {
    const rights = (right: string): string[] =>
      Object.keys(job).filter((id) => job[id]?.permissions?.[right] === "write");
    expect(rights("id-token")).toStrictEqual(["attest"]);
    expect(rights("attestations")).toStrictEqual(["attest"]);
    expect(rights("contents")).toStrictEqual(["draft"]);
    for (const id of ["attest", "draft"]) expect(of(id)).not.toMatch(/checkout@|setup-node@|npm|npx|node /);
  });

  it("attests every file of the release, what updaters read among them", () => {
    const attest = job["attest"]?.steps.find(({ uses }) => uses?.includes("attest-build-provenance@") === true);
    expect(attest?.with?.["subject-path"]).toBe("packages/*");
    expect(of("attest")).toContain("sha256sum");
    expect(text("release.yml")).toContain("release/latest*.yml");
  });

  it("ships what is in the packages as a list next to them, made of what was built", () => {
    expect(of("build")).toMatch(/npm run build[^]*main\/launch\/sbom\.mjs > /);
    const uploaded = job["build"]?.steps.map((step) => step.with?.["name"]);
    // The job that attests takes every artifact of this name's beginning.
    expect(uploaded).toContain("packages-list");
    expect(job["attest"]?.steps.map((step) => step.with?.["pattern"])).toContain("packages*");
  });

  it("checks npm's package and the image before it uploads them", () => {
    expect(of("build")).toContain("npm run release:check -- release");
    expect(text("release.yml")).toContain("release/*.tgz");
  });

  it("says what has changed in the words of the changelog, which has a section of this version", () => {
    expect(of("draft")).toContain("--notes-file packages/NOTES.md");
    const changes = readFileSync(join(folder, "../../CHANGELOG.md"), "utf8");
    expect(changes).toMatch(new RegExp(`^## ${manifest.version.replaceAll(".", String.raw`\.`)} `, "m"));
  });

  it("uploads a file of every target", async () => {
    const { mac, win, linux } = parse(readFileSync(join(folder, "../../electron-builder.yml"), "utf8")) as Record<
      "mac" | "win" | "linux",
      { target: { target: string }[] }
    >;
    const endings = [mac, win, linux].flatMap((system) =>
      system.target.map(({ target }) => target.replace("nsis", "exe")),
    );
    for (const ending of endings) expect(text("release.yml")).toContain(`release/*.${ending}\n`);
  });

  it("signs a Mac's app again for this machine only when no one's certificate does", () => {
    expect(of("sign")).toMatch(/-z "\$\{CSC_LINK:-\}"[^]*resetAdHocDarwinSignature=true/);
  });

  it("drafts nothing before the packages were checked, driven and attested", () => {
    expect(job["draft"]?.needs).toStrictEqual(["check", "attest"]);
    expect(job["check"]?.needs).toBe("sign");
    expect(of("check")).toMatch(/check-package\.mjs[^]*open-for-driver\.mjs/);
  });
});
