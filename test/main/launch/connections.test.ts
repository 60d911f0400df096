import { describe, expect, it, test } from "vitest";
import { credentialHealth } from "../../support/views.ts";
import { startFakeControl, runWith } from "./fake-control.ts";
import { sampleConnection } from "./samples.ts";

const tested = (ok: boolean, message: string) => ({
  "POST /control/connection-tests": {
    body: { ok, message, problem: ok ? null : "refused", said: null, ms: 0, models: 0 },
  },
});
const created = { "POST /control/connections": { body: sampleConnection }, ...tested(true, "It responds.") };
const listed = (connections: readonly unknown[], servers: readonly unknown[] = []) => ({
  "GET /control/connections": { body: { data: connections } },
  "GET /control/local-servers": { body: { data: servers } },
});
const presets = {
  "GET /control/presets": {
    body: {
      data: [
        {
          id: "openrouter",
          label: "OpenRouter",
          provider: "openai-compatible",
          base_url: "https://openrouter.ai/api/v1",
          needs_key: true,
          keys_url: "https://openrouter.ai/keys",
          caches: true,
        },
      ],
    },
  },
};

describe("connections add", () => {
  it("takes a preset, and the key from standard input", async () => {
    await using control = await startFakeControl({ ...created, ...presets });
    const argv = ["connections", "add", "--preset", "openrouter", "--key-stdin"];
    const ended = await control.run(argv, { input: "sk-or-one\n\n  sk-or-two \n" });
    expect(ended).toMatchObject({ code: 0, error: "" });
    expect(ended.out).toContain("connections test con_1");
    expect(control.calls.at(-1)?.body).toEqual({
      provider: "openai-compatible",
      name: "OpenRouter",
      base_url: "https://openrouter.ai/api/v1",
      keys: ["sk-or-one", "sk-or-two"],
    });
  });

  it("takes a key from the environment, and a name and priority of one's own", async () => {
    await using control = await startFakeControl(created);
    const argv = ["connections", "add", "--provider", "openai", "--key-from", "MY_KEY", "--name", "Work"];
    await control.run([...argv, "--priority", "5"], { environment: { MY_KEY: "sk-work" } });
    expect(control.calls.at(-1)?.body).toEqual({ provider: "openai", name: "Work", priority: 5, keys: ["sk-work"] });
  });

  it("tries keys before it saves them, unless it is ordered not to", async () => {
    await using control = await startFakeControl({ ...created, ...tested(false, "The key is refused.") });
    const argv = ["connections", "add", "--provider", "openai", "--key", "sk-wrong"];
    const ended = await control.run(argv);
    expect([ended.code, ended.error]).toEqual([
      1,
      "The key is refused. Nothing was saved; --untested saves it as it is.",
    ]);
    const addresses = (): readonly string[] => control.calls.map(({ address }) => address);
    expect(addresses()).toEqual(["/control/connection-tests"]);
    expect((await control.run([...argv, "--untested"])).code).toBe(0);
    expect(addresses()).toEqual(["/control/connection-tests", "/control/connections"]);
  });

  it("switches prompt caching on where it is asked to", async () => {
    await using control = await startFakeControl(created);
    const argv = ["connections", "add", "--provider", "anthropic", "--key", "sk-ant-one", "--prompt-caching"];
    await control.run(argv);
    expect(control.calls.at(-1)?.body).toMatchObject({ provider: "anthropic", prompt_caching: true });
  });

  it.each<[string[], object[] | null, string]>([
    [[], null, "old = chat"],
    [
      ["--set", "team=embedding", "--set", "by/hand"],
      [{ id: "old", kind: "chat" }, { id: "team", kind: "embedding" }, { id: "by/hand" }],
      "",
    ],
    [["--set", "OLD = speech"], [{ id: "OLD", kind: "speech" }], ""],
    [["--unset", "old"], [], ""],
  ])("says what models are for: %j", async (options, models, said) => {
    const known = { ...sampleConnection, own_models: [{ id: "old", kind: "chat" }] };
    const routes = { ...listed([known]), [`PATCH /control/connections/${known.id}`]: { body: known } };
    await using control = await startFakeControl(routes);
    const ended = await control.run(["connections", "models", known.id, ...options]);
    expect([ended.code, ended.error]).toEqual([0, ""]);
    expect(ended.out).toContain(said);
    expect(control.calls.find(({ method }) => method === "PATCH")?.body ?? null).toEqual(
      models === null ? null : { models },
    );
    expect((await control.run(["connections", "models", known.id, "--set", "a=vectors"])).error).toContain("embedding");
  });

  it("needs no key for a server that wants none", async () => {
    await using control = await startFakeControl(created);
    const address = "http://127.0.0.1:11434/v1";
    const argv = ["connections", "add", "--vendor=openai-compatible", "--base-url", address];
    await control.run(argv);
    expect(control.calls.at(-1)?.body).toEqual({
      provider: "openai-compatible",
      name: "openai-compatible",
      base_url: address,
    });
  });

  it("names the presets that there are", async () => {
    const ended = await runWith({ ...created, ...presets }, ["connections", "add", "--preset", "nobody"]);
    expect(ended).toMatchObject({ code: 2, error: 'There is no preset "nobody". There are: openrouter.' });
  });
});

describe("connections change", () => {
  const path = `PATCH /control/connections/${sampleConnection.id}`;
  const change = ["connections", "change", sampleConnection.id];

  it("replaces keys after they were tried at the same provider", async () => {
    const routes = {
      ...listed([sampleConnection]),
      ...tested(true, "It responds."),
      [path]: { body: sampleConnection },
    };
    await using control = await startFakeControl(routes);
    const ended = await control.run([...change, "--key-stdin"], { input: "sk-new\n" });
    expect([ended.code, ended.error]).toEqual([0, ""]);
    const { provider, name, base_url } = sampleConnection;
    expect(control.calls.slice(1).map(({ body }) => body)).toEqual([
      { provider, name, base_url, keys: ["sk-new"] },
      { keys: ["sk-new"] },
    ]);
  });

  it("changes what is given, and nothing without it", async () => {
    await using control = await startFakeControl({ ...listed([sampleConnection]), [path]: { body: sampleConnection } });
    await control.run([...change, "--enabled", "off", "--name", "Work", "--priority", "3"]);
    expect(control.calls.at(-1)?.body).toEqual({ enabled: false, name: "Work", priority: 3 });
    expect(await control.run(change)).toMatchObject({
      code: 2,
      error: expect.stringContaining("something to change") as string,
    });
  });
});

describe("connections list", () => {
  test.each([
    ["ready", sampleConnection, "ready"],
    ["disabled", { ...sampleConnection, enabled: false }, "disabled"],
    ["a program that does not run", { ...sampleConnection, present: false }, "not running"],
    ["without a key", { ...sampleConnection, credentials: [] }, "no key"],
    [
      "of two minds",
      {
        ...sampleConnection,
        credentials: [
          credentialHealth({ hint: "a" }),
          credentialHealth({ hint: "b", state: "out_of_credit", reason: "no money" }),
        ],
      },
      "ready, out of credit",
    ],
  ])("shows one that is %s", async (_, connection, label) => {
    const { out } = await runWith(listed([connection]), ["connections", "list"]);
    expect(out.split("\n").at(-1)).toContain(`created  ${label}`);
    expect(out).toContain("340");
  });

  it.each([
    [1_790_000_000_000, "none listed"],
    [null, "not fetched yet"],
  ])("does not count models of a provider without a list (asked at %s)", async (checked_at, words) => {
    const voyage = { ...sampleConnection, provider: "voyage", models: { count: 0, checked_at, error: null } };
    const { out } = await runWith(listed([voyage]), ["connections", "list"]);
    expect(out.split("\n").at(-1)).toMatch(new RegExp(`ready +${words}$`));
  });

  it("says what to do when none exists", async () => {
    expect((await runWith(listed([]), ["connections", "list"])).out).toContain("postern connections add");
  });
});

describe("connections test", () => {
  const path = "POST /control/connections/con_1/test";
  const testedOnce = (ok: boolean, message: string, more: object = {}) => ({
    body: { ok, message, problem: null, said: null, ms: 0, models: 0, ...more },
  });

  it("says what happened", async () => {
    const body = testedOnce(true, "The key works.", { ms: 123.4, models: 340 });
    const { code, out } = await runWith({ [path]: body }, ["connections", "test", "con_1"]);
    expect({ code, out }).toEqual({ code: 0, out: "The key works. (123 ms)" });
  });

  it("names no figures where nothing was asked", async () => {
    const body = testedOnce(true, "Voyage has no list of models to ask for.");
    const { out } = await runWith({ [path]: body }, ["connections", "test", "con_1"]);
    expect(out).toBe("Voyage has no list of models to ask for.");
  });

  it("fails when the provider does", async () => {
    const failed = testedOnce(false, "The provider refuses the key.", { problem: "unreachable" });
    await using control = await startFakeControl({ [path]: failed });
    const argv = ["connections", "test", "con_1"];
    expect(await control.run(argv)).toEqual({ code: 1, out: "", error: "The provider refuses the key." });
    const asJson = await control.run([...argv, "--json"]);
    expect(asJson).toEqual({ code: 1, out: JSON.stringify(failed.body), error: "" });
  });
});

describe("connections remove", () => {
  it("removes one that exists and names it", async () => {
    await using control = await startFakeControl({
      "GET /control/connections": { body: { data: [sampleConnection] } },
      "DELETE /control/connections/con_1": { body: { ok: true } },
    });
    const gone = await control.run(["connections", "remove", "con_1"]);
    expect(gone).toEqual({ code: 0, out: "OpenRouter is removed.", error: "" });
    const unknown = await control.run(["connections", "remove", "con_2"]);
    expect(unknown).toEqual({ code: 1, out: "", error: "There is no connection con_2." });
  });
});

const ollama = {
  id: "local_ollama_11434",
  kind: "ollama",
  name: "Ollama",
  base_url: "http://127.0.0.1:11434/v1",
  state: "offered",
  present: true,
  user: null,
};

describe("programs that were found", () => {
  it.each([
    [ollama, 'Found: Ollama at http://127.0.0.1:11434/v1; use it with "postern connections use local_ollama_11434"'],
    [{ ...ollama, user: { uid: 998, name: "ollama", other: true } }, 'run by the user "ollama" (998)'],
    [{ ...ollama, user: { uid: 998, name: null, other: true } }, "run by the user 998"],
    [{ ...ollama, state: "refused" }, "postern connections forget local_ollama_11434"],
  ])("are listed with what can be done", async (server, line) => {
    const { out } = await runWith(listed([], [server]), ["connections", "list"]);
    expect(out.split("\n").at(-1)).toContain(line);
  });

  it("are not listed twice when they are used", async () => {
    expect(
      (await runWith(listed([sampleConnection], [{ ...ollama, state: "used" }]), ["connections", "list"])).out,
    ).not.toContain("Found");
  });

  it.each([
    ["use", [], "POST /control/local-servers/local_ollama_11434/use", {}],
    ["use", ["--other-user"], "POST /control/local-servers/local_ollama_11434/use", { other_user: true }],
    ["refuse", [], "POST /control/local-servers/local_ollama_11434/refuse", {}],
    ["forget", [], "DELETE /control/local-servers/local_ollama_11434", undefined],
  ] as const)("are decided about by connections %s", async (name, options, route, body) => {
    const response = name === "use" ? sampleConnection : { ok: true };
    await using control = await startFakeControl({ [route]: { body: response } });
    const argv = ["connections", name, "local_ollama_11434", ...options];
    expect(await control.run(argv)).toMatchObject({ code: 0, error: "" });
    expect(`${control.calls.at(-1)?.method} ${control.calls.at(-1)?.address}`).toBe(route);
    expect(control.calls.at(-1)?.body ?? undefined).toEqual(body);
  });
});

describe("credit", () => {
  it("lists what is left at providers that report it, and when they said so", async () => {
    const credit = {
      balances: [{ currency: "USD", nano: 1_200_000_000 }],
      used_up: false,
      read_at: Date.UTC(2026, 10, 30, 5, 47),
      error: null,
    };
    const credentials = [
      credentialHealth({ credit }),
      credentialHealth({ credit: { ...credit, balances: [], used_up: true, error: "no route" } }),
    ];
    await using control = await startFakeControl(listed([{ ...sampleConnection, credentials }]));
    const { out } = await control.run(["connections", "list"]);
    expect(out).toMatch(/CREDIT *\n/);
    expect(out).toContain("1.20 USD (2026-11-30T05:47Z); used up (2026-11-30T05:47Z), not read: no route");
    await using other = await startFakeControl(listed([sampleConnection]));
    expect((await other.run(["connections", "list"])).out).not.toContain("CREDIT");
  });

  it.each([
    ["2.50", 2.5],
    ["none", null],
  ])("takes %s as the amount of its notice", async (text, credit_notice) => {
    await using control = await startFakeControl({
      ...listed([sampleConnection]),
      [`PATCH /control/connections/${sampleConnection.id}`]: { body: sampleConnection },
    });
    const argv = ["connections", "change", sampleConnection.id, "--credit-notice", text];
    expect(await control.run(argv)).toMatchObject({ code: 0 });
    expect(control.calls.at(-1)?.body).toEqual({ credit_notice });
  });
});
