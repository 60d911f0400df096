import { describe, expect, it, vi } from "vitest";
import type { Setup } from "../../../../gateway/contract/setup.ts";
import { sha256 } from "../../../../gateway/lib/ids.ts";
import { DocumentDraft } from "../../../../gateway/services/setup/draft.ts";
import { SetupWorld, WHOLE } from "./setup-world.ts";

describe("applying a set-up", () => {
  it("makes everything that it names, and nothing the second time", async () => {
    const world = await SetupWorld.start();
    const { applied, changes, created_keys: created } = await world.apply(WHOLE);
    expect(changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`)).toEqual([
      "add connection OpenAI",
      "add connection House",
      "add key laptop",
      "add key phone",
      "add route work",
      "add alias quick",
      "add price gpt-5",
      "add price house/paint",
      "add budget daily client claude-*",
      "change setting monthly_budget_usd",
      "change setting backup_keep",
      "change setting search_provider",
      "change setting otlp_endpoint",
      "add search_key brave",
      "add webhook_secret ",
      "add telemetry_headers ",
      "add metrics_key ",
    ]);
    expect(applied).toMatchObject({ source: "file", records: 11 });
    expect(created).toEqual([]);
    expect(world.setup.read()).toMatchObject({
      connections: [
        { name: "OpenAI", base_url: "https://api.openai.com/v1", keys: ["sk-openai-key-0001", "sk-openai-key-0002"] },
        { name: "House", priority: 100, enabled: true, stands_in: true, prompt_caching: false },
      ],
      keys: [
        { name: "laptop", sha256: sha256("sk-laptop-secret-0001"), hint: "sk-la…0001", limit_usd: 5, rpm: 60 },
        { name: "phone", disabled: true, limit_usd: null, models: null },
      ],
      routes: [{ name: "work", sticky: false, rules: [{ when: { keys: ["laptop"] } }] }],
      aliases: WHOLE.aliases,
      prices: WHOLE.prices,
      settings: WHOLE.settings,
      search_keys: WHOLE.search_keys,
      webhook_secret: WHOLE.webhook_secret,
      budgets: WHOLE.budgets,
      telemetry_headers: WHOLE.telemetry_headers,
      metrics_key: WHOLE.metrics_key,
    });
    expect(world.budgets.list()).toHaveLength(1);
    expect(world.keyRing.knows("sk-laptop-secret-0001")).toBe(true);
    expect(await world.changes(WHOLE)).toEqual([]);
    expect((await world.apply(WHOLE)).applied).toBeNull();
    expect(world.setup.list()).toHaveLength(1);
  });

  it.each([
    ["inside the transaction", { test_keys: false }, 1],
    ["and before it to test new keys", {}, 2],
  ])("is drafted once %s", async (_when, how, count) => {
    const world = await SetupWorld.start();
    const drafted = vi.spyOn(DocumentDraft.prototype, "listChanges");
    await world.apply(WHOLE, how);
    expect(drafted).toHaveBeenCalledTimes(count);
    drafted.mockRestore();
  });

  it("says what changes of each record, secrets as their ends", async () => {
    const world = await SetupWorld.start();
    await world.apply(WHOLE);
    const { changes } = await world.setup.plan({
      setup: {
        connections: [{ name: "openai", provider: "openai", keys: ["sk-openai-key-0001", "sk-openai-key-0009"] }],
        keys: [{ name: "laptop", limit_usd: 7, models: null }],
        aliases: { quick: "gpt-5" },
        prices: { "gpt-5": { input: 2, output: 10 } },
      },
      prune: false,
      partial: false,
    });
    expect(changes).toEqual([
      {
        kind: "connection",
        name: "OpenAI",
        action: "change",
        fields: [
          { field: "name", before: "OpenAI", after: "openai" },
          { field: "keys", before: "sk-op…0001, sk-op…0002", after: "sk-op…0001, sk-op…0009" },
        ],
      },
      {
        kind: "key",
        name: "laptop",
        action: "change",
        fields: [
          { field: "models", before: "gpt-*", after: null },
          { field: "limit_usd", before: "5", after: "7" },
        ],
      },
      {
        kind: "alias",
        name: "quick",
        action: "change",
        fields: [{ field: "model", before: "gpt-5-mini", after: "gpt-5" }],
      },
      {
        kind: "price",
        name: "gpt-5",
        action: "change",
        fields: [
          { field: "input", before: "1.25", after: "2" },
          { field: "cached_input", before: "0.125", after: null },
        ],
      },
    ]);
  });

  it("makes keys that are known by name alone, and tells them once", async () => {
    const world = await SetupWorld.start();
    const setup = { keys: [{ name: "new one", limit_usd: 3 }] };
    const { created_keys: created } = await world.apply(setup);
    expect(created).toEqual([{ name: "new one", secret: expect.stringMatching(/^sk-[A-Za-z0-9]{48}$/) as string }]);
    expect(world.keyRing.knows(created[0]?.secret ?? "")).toBe(true);
    expect(await world.changes(setup)).toEqual([]);
  });

  it("keeps two keys of one name apart by their SHA-256, in conditions too", async () => {
    const world = await SetupWorld.start();
    const [one, two] = [sha256("sk-one-secret-00001"), sha256("sk-two-secret-00002")];
    const routes: Setup["routes"] = [
      { name: "r", models: ["gpt-5"], rules: [{ when: { keys: [two] }, models: ["gpt-5-mini"], enabled: true }] },
    ];
    await world.apply({
      keys: [
        { name: "twin", sha256: one, hint: "sk-on…0001" },
        { name: "twin", sha256: two },
      ],
      routes,
    });
    const read = world.setup.read();
    expect(read.routes?.[0]?.rules?.[0]?.when.keys).toEqual([two]);
    expect(await world.changes(read)).toEqual([]);
    await expect(world.apply({ keys: [{ name: "twin", rpm: 3 }] })).rejects.toThrow(/Several keys .*sha256/);
  });

  it("removes what a file does not name only where that is asked for, and only in sections that it has", async () => {
    const world = await SetupWorld.start();
    await world.apply(WHOLE);
    const file: Setup = { connections: [{ name: "House", provider: "openai-compatible" }], routes: [], aliases: {} };
    expect(await world.changes(file)).toEqual([]);
    expect(await world.changes(file, true)).toEqual([
      "remove connection OpenAI",
      "remove route work",
      "remove alias quick",
    ]);
    await world.apply(file, { prune: true });
    expect(world.connections.all().map(({ name }) => name)).toEqual(["House"]);
    expect(world.setup.read().keys).toHaveLength(2);
  });

  it.each<[string, Setup, RegExp]>([
    ["a provider that nobody knows", { connections: [{ name: "a", provider: "nobody" }] }, /expected one of "openai"/],
    [
      "a server without an address",
      { connections: [{ name: "a", provider: "openai-compatible" }] },
      /needs a base URL/,
    ],
    [
      "another provider under a name that is there",
      { connections: [{ name: "House", provider: "openai" }] },
      /already/,
    ],
    [
      "an address that keys were not given for",
      { connections: [{ name: "House", provider: "openai-compatible", base_url: "http://127.0.0.1:9/v1" }] },
      /give the key for that address/,
    ],
    [
      "a name twice",
      {
        connections: [
          { name: "b", provider: "openai" },
          { name: "B", provider: "openai" },
        ],
      },
      /twice/,
    ],
    ["an alias that is a route", { aliases: { work: "gpt-5" } }, /is the name of a route/],
    ["a route that is an alias", { routes: [{ name: "quick", models: ["gpt-5"] }] }, /name of your own/],
    ["routes that nest", { routes: [{ name: "outer", models: ["work"] }] }, /do not nest/],
    [
      "a rule for a key that is not there",
      {
        routes: [
          { name: "r", models: ["gpt-5"], rules: [{ when: { keys: ["tablet"] }, models: ["gpt-5"], enabled: true }] },
        ],
      },
      /no key "tablet"/,
    ],
    ["a price with a gap", { prices: { "gpt-5": { input: 1 } } }, /input tokens and output tokens/],
    ["a price beyond what can be counted", { prices: { "house/paint": { image: 1e9 } } }, /none too large/],
    [
      "a target that may never be reached",
      { settings: { allow_targets: ["169.254.169.254:80"] } },
      /cannot be allowed/,
    ],
    [
      "headers for nobody",
      { settings: { otlp_endpoint: null }, telemetry_headers: "authorization: x" },
      /give 'otlp_endpoint'/,
    ],
    ["a webhook secret that is none", { webhook_secret: "whsec_short" }, /base64/],
  ])("refuses %s, and then all of it", async (_what, setup, message) => {
    const world = await SetupWorld.start();
    await world.apply(WHOLE);
    const before = world.setup.read();
    const whole = { ...setup, settings: { ...setup.settings, record_keep_days: 5 } };
    await expect(world.apply(whole)).rejects.toThrow(message);
    await expect(world.apply(whole)).rejects.toThrow(/^Nothing was changed/);
    expect(world.setup.read()).toEqual(before);
    expect(world.setup.list()).toHaveLength(1);
    // What is in the way is left out where the rest is wanted.
    await world.apply(whole, { partial: true });
    expect(world.settings.get("record_keep_days")).toBe(5);
  });

  it("believes a file about models that no one has listed yet", async () => {
    const world = await SetupWorld.start();
    const setup: Setup = {
      // Each stands in for the other: both are models of a server that was not asked yet.
      routes: [
        { name: "house-a", models: ["house-a", "house-b"] },
        { name: "house-b", models: ["house-b", "house-a"] },
      ],
      aliases: { "gpt-5": "claude-opus-4-1" },
      prices: { "house-image": { image: 0.04 } },
    };
    await world.apply(setup);
    expect(world.setup.read()).toMatchObject({ aliases: setup.aliases, prices: setup.prices });
    expect(await world.changes(world.setup.read())).toEqual([]);
  });

  it("takes no name from a model that is served where it only adds", async () => {
    const world = await SetupWorld.start();
    await world.apply({ connections: [{ name: "OpenAI", provider: "openai" }] });
    const setup = { aliases: { "gpt-5": "gpt-5-mini", cheap: "gpt-5-mini" } };
    const { conflicts } = await world.setup.plan({ setup, prune: false, partial: true });
    expect(conflicts).toMatchObject([{ kind: "alias", name: "gpt-5" }]);
    await world.apply(setup, { partial: true });
    expect(world.setup.read().aliases).toEqual({ cheap: "gpt-5-mini" });
  });

  it("refuses what is not as it was shown", async () => {
    const world = await SetupWorld.start();
    const wish = { setup: WHOLE, prune: false, partial: false };
    const { token } = await world.setup.plan(wish);
    await world.settings.update({ backup_keep: 9 });
    await expect(world.apply(WHOLE, { token })).rejects.toThrow(/not as it was shown/);
    expect(world.setup.read().connections).toEqual([]);
    await world.apply(WHOLE, { token: (await world.setup.plan(wish)).token });
    expect(world.settings.get("backup_keep")).toBe(3);
  });

  it("lets other changes wait for it, and loses none of them", async () => {
    const world = await SetupWorld.start();
    const [applied] = await Promise.allSettled([
      world.apply(WHOLE),
      world.manageConnections.create({ provider: "mistral", name: "Mistral", keys: ["mistral-key-0001"] }),
      world.settings.update({ record_keep_days: 6 }),
      world.manageModels.setAlias("other", "gpt-5"),
    ]);
    const read = world.setup.read();
    expect(read.settings?.record_keep_days).toBe(6);
    expect(read.aliases).toHaveProperty("other");
    expect(read.connections?.map(({ name }) => name)).toContain("Mistral");
    // It was refused as not being what it was planned for, or it is there whole.
    expect(read.connections).toHaveLength(applied?.status === "fulfilled" ? 3 : 1);
  });
});

describe("provider keys of a set-up", () => {
  const connections = [
    { name: "Good", provider: "openai", keys: ["sk-good-key-0001", "bad-key-0000000001"] },
    { name: "Bad", provider: "mistral", keys: ["bad-key-0000000002"] },
  ];

  it("are tested before they are saved, and those that are refused are not taken", async () => {
    const world = await SetupWorld.start();
    const { tests } = await world.apply({ connections });
    expect(world.requests).toEqual(["sk-good-key-0001", "bad-key-0000000001", "bad-key-0000000002"]);
    expect(tests.map(({ connection, hint, ok, taken }) => [connection, hint, ok, taken])).toEqual([
      ["Good", "sk-go…0001", true, true],
      ["Good", "bad-k…0001", false, false],
      ["Bad", "bad-k…0002", false, false],
    ]);
    expect(world.setup.read().connections).toMatchObject([{ name: "Good", keys: ["sk-good-key-0001"] }]);
    expect(world.secrets).toEqual(["sk-good-key-0001"]);
  });

  it("are taken all the same where the owner says so", async () => {
    const world = await SetupWorld.start();
    const { tests } = await world.apply({ connections }, { keep_refused: true });
    expect(tests.map(({ taken }) => taken)).toEqual([true, true, true]);
    expect(world.setup.read().connections).toHaveLength(2);
  });

  it("are not asked about where the owner says so, and not again where they are there already", async () => {
    const world = await SetupWorld.start();
    await world.apply({ connections }, { test_keys: false });
    await world.apply({ connections: connections.map((one) => ({ ...one, priority: 7 })) });
    expect(world.requests).toEqual([]);
    expect(world.setup.read().connections).toMatchObject([{ priority: 7 }, { priority: 7 }]);
  });

  it("leave a connection the keys that it has where all new ones are refused", async () => {
    const world = await SetupWorld.start();
    await world.apply({ connections: [{ name: "Good", provider: "openai", keys: ["sk-good-key-0001"] }] });
    await world.apply({
      connections: [{ name: "Good", provider: "openai", keys: ["bad-key-0000000003"], priority: 3 }],
    });
    expect(world.setup.read().connections).toMatchObject([{ keys: ["sk-good-key-0001"], priority: 3 }]);
  });
});
