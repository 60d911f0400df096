import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import type { ConnectionView, CredentialHealth } from "../../../gateway/contract/connection.ts";
import type { State } from "../../../gateway/contract/control.ts";
import {
  diagnoseEndings,
  diagnoseFolder,
  diagnoseNode,
  diagnoseRunning,
  type FolderFacts,
  type ModelUses,
  type RunningFacts,
} from "../../../gateway/core/diagnosis.ts";
import { credentialHealth, modelView } from "../../support/views.ts";
import { startFakeControl, runWith } from "./fake-control.ts";
import { postern } from "./run.ts";
import { sampleBudget, sampleConnection, sampleKey, sampleState } from "./samples.ts";

const healthy: RunningFacts = { state: sampleState, connections: [sampleConnection], keys: [sampleKey], servers: [] };
const ollama = {
  id: "local_ollama_11434",
  kind: "ollama",
  name: "Ollama",
  base_url: "http://127.0.0.1:11434/v1",
  present: true,
  user: { uid: 998, name: "ollama", other: true },
} as const;
const folder: FolderFacts = {
  path: "data",
  exists: true,
  writable: true,
  exposed: [],
  quarantined: [],
  freeBytes: 1e12,
};

const withConnection = (change: Partial<ConnectionView>): RunningFacts => ({
  ...healthy,
  connections: [{ ...sampleConnection, ...change }],
});
const withState = (change: Partial<State>): RunningFacts => ({ ...healthy, state: { ...sampleState, ...change } });
const withCredential = (credential: Partial<CredentialHealth>): RunningFacts =>
  withConnection({ credentials: [credentialHealth({ hint: "sk-or", ...credential })] });

describe("what a running Postern tells", () => {
  it("is fine when all is", () => {
    expect(diagnoseRunning(healthy).map((finding) => finding.level)).toEqual(["fine", "fine"]);
  });

  test.each<[string, RunningFacts, string, ("fine" | "note")?]>([
    ["a refused key", withCredential({ state: "refused", reason: "Incorrect key." }), "Incorrect key."],
    ["an empty account", withCredential({ state: "out_of_credit" }), "top it up"],
    ["a locked key", withCredential({ state: "locked" }), "missing, locked or another one"],
    ["an open breaker", withCredential({ state: "open" }), "other providers are tried first", "note"],
    [
      "a model that fails",
      withCredential({
        models: [{ model: "gpt-5", state: "open", until: 1, since: 0, reason: "x", unreachable: false }],
      }),
      "The model gpt-5: It failed several times",
      "note",
    ],
    [
      "a program that is offered",
      { ...healthy, servers: [{ ...ollama, state: "offered" }] },
      'run by the user "ollama" (998), is not used. Use it with "postern connections use local_ollama_11434"',
      "note",
    ],
    ["a used program that does not run", withConnection({ present: false }), "does not run now", "note"],
    ["a pause", withCredential({ state: "cooling" }), "pause", "note"],
    ["a disk that refuses", withState({ status: "storage" }), "disk"],
    ["a stop", withState({ status: "stopping" }), "stopping", "note"],
    ["no usable key", { ...healthy, keys: [{ ...sampleKey, state: "expired" }] }, "keys create"],
    ["no provider but the sandbox", { ...healthy, connections: [] }, "sandbox responds", "note"],
    [
      "nobody to answer",
      { ...healthy, connections: [], state: { ...sampleState, sandbox: { mode: "off", active: false } } },
      "connections add",
    ],
    ["a list that failed", withConnection({ models: { count: 0, checked_at: null, error: "timed out" } }), "timed out"],
    [
      "a provider without a list of models",
      withConnection({ models: { count: 0, checked_at: 1, error: null } }),
      "It lists no models.",
      "fine",
    ],
    [
      "a notice of danger",
      withState({ notices: [{ id: "n", level: "danger", message: "Read only.", at: 1 }] }),
      "Read only.",
    ],
  ])("%s", (_, facts, words, level: "fine" | "note" | "problem" = "problem") => {
    const found = diagnoseRunning(facts).filter((finding) => finding.level === level);
    expect(found.map((finding) => finding.message).join(" ")).toContain(words);
  });
});

describe("models that end", () => {
  const now = Date.UTC(2026, 10, 28, 12);
  const ending = (on: string, successor: string | null = "b", apps = 0) =>
    modelView({ id: "a", ends: { on, successor, apps } });
  const price = { source: "s", as_of: "2026-11-28", tiers: [], variants: [], until: "2026-12-01" };
  const none = { routes: [], keys: [], used: new Set<string>() };
  const route = { name: "smart", models: ["x", "a"] };
  test.each<[string, Partial<ModelUses>, string, ("note" | "problem")?]>([
    [
      "soon",
      { models: [ending("2026-12-11", "b", 3)] },
      "a ends in 13 days; 3 apps use it. From 2026-12-11 on, use b instead.",
    ],
    ["for one app", { models: [ending("2026-12-11", "b", 1)] }, "; 1 app uses it. From"],
    [
      "tomorrow",
      { models: [ending("2026-11-29")], routes: [route] },
      'in 1 day; no app uses it. From 2026-11-29 on, use b instead. In use: the route "smart" uses it.',
    ],
    ["today", { models: [ending("2026-11-28", null)], routes: [route] }, "use another model instead.", "problem"],
    [
      "for a key",
      { models: [ending("2026-11-01")], keys: [{ ...sampleKey, models: ["a"] }] },
      "a has ended",
      "problem",
    ],
    ["in price", { models: [modelView({ id: "a", price })], routes: [route] }, "price changes on 2026-12-01"],
  ])("%s", (_, uses, words, level = "note") => {
    expect(diagnoseEndings({ models: [], ...none, ...uses }, now)).toEqual([
      { level, about: "model a", message: expect.stringContaining(words) as string },
    ]);
  });

  test.each<[string, Partial<ModelUses>]>([
    ["nobody uses them", { models: [ending("2026-12-11")] }],
    ["a year is left", { models: [ending("2027-11-28")], routes: [route] }],
    ["none is announced", { models: [modelView({ id: "a" })], routes: [route] }],
  ])("are passed over where %s", (_, uses) => {
    expect(diagnoseEndings({ models: [], ...none, ...uses }, now)).toEqual([]);
  });
});

describe("what the folder tells", () => {
  test.each<[string, Partial<FolderFacts>, string, ("fine" | "note")?]>([
    ["nothing wrong", {}, "data", "fine"],
    ["not there yet", { exists: false }, "first start", "note"],
    ["not writable", { writable: false }, "cannot be written"],
    ["an open secret", { exposed: ["data/secret.key"] }, "chmod 600"],
    ["files set aside", { quarantined: ["journal.bad"] }, "journal.bad", "note"],
    ["a full disk", { freeBytes: 3 * 1024 * 1024 }, "Only 3 MiB"],
  ])("%s", (_, facts, words, level: "fine" | "note" | "problem" = "problem") => {
    const [finding] = diagnoseFolder({ ...folder, ...facts });
    expect(finding).toMatchObject({ level });
    expect(finding?.message).toContain(words);
  });
});

test.each([
  ["v24.21.0", "fine"],
  ["v25.0.0", "fine"],
  ["v20.20.2", "problem"],
])("Node %s is %s", (version, level) => {
  expect(diagnoseNode(version, 24).level).toBe(level);
});

describe("postern doctor", () => {
  it("looks at a real folder without a running Postern, and fails for a problem", async () => {
    const data = await mkdtemp(join(tmpdir(), "postern-doctor-"));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    expect(await postern(["doctor", "--data-dir", data])).toMatchObject({ code: 0, error: "" });
    await writeFile(join(data, "secret.key"), "secret");
    await chmod(join(data, "secret.key"), 0o644);
    await mkdir(join(data, "quarantine"));
    await writeFile(join(data, "quarantine", "state-1.json"), "");
    const ended = await postern(["doctor", "--data-dir", data]);
    expect(ended).toMatchObject({ code: 1, error: "1 problem needs you." });
    expect(ended.out).toContain("chmod 600");
    expect(ended.out).toContain("state-1.json");
  });

  it("asks the running one", async () => {
    await using control = await startFakeControl({
      "GET /control/state": { body: sampleState },
      "GET /control/connections": { body: { data: [sampleConnection] } },
      "GET /control/local-servers": { body: { data: [] } },
      "GET /control/keys": { body: { data: [sampleKey] } },
      "GET /control/models": {
        body: {
          data: [modelView({ id: "gpt-5-mini", ends: { on: "2026-01-01", successor: "gpt-5.4-mini", apps: 2 } })],
        },
      },
      "GET /control/routes": { body: { data: [] } },
      "GET /control/usage": {
        body: {
          since: "2026-01-01",
          until: "2026-01-30",
          total: sampleState.today,
          data: [{ group: "gpt-5-mini", totals: sampleState.today }],
        },
      },
      "GET /control/budgets": { body: { data: [{ ...sampleBudget, ends_at: Date.UTC(2026, 10, 24, 3) }] } },
      "POST /control/proxies/check": {
        body: {
          data: [{ proxy: "http://***@proxy:8080", connection: "OpenAI", ok: true, message: "It takes connections." }],
        },
      },
    });
    const ended = await control.run(["doctor", "--json"]);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.out)).toMatchObject({ ok: false });
    expect((await control.run(["doctor"])).out).toContain(
      "gpt-5-mini has ended; 2 apps use it. From 2026-01-01 on, use gpt-5.4-mini instead.",
    );
    expect((await control.run(["doctor"])).out).toContain(
      "ok       proxy http://***@proxy:8080: It takes connections.",
    );
    expect((await control.run(["doctor"])).out).toContain(
      'note     money: At this pace the monthly budget of the client "claude-*" ends on the 24th.',
    );
  });

  it("says so when the running one does not let it in", async () => {
    const ended = await runWith({}, ["doctor"]);
    expect(ended.code).toBe(1);
    expect(ended.out).toContain("There is no such address.");
  });
});
