import * as fc from "fast-check";
import type { Setup } from "../../../../gateway/contract/setup.ts";
import { ownUnits } from "../../../../gateway/contract/model-view.ts";
import { requestKinds } from "../../../../gateway/contract/routed.ts";
import { cleanSecret, isPlainSecret } from "../../../../gateway/contract/secret.ts";
import { sha256 } from "../../../../gateway/lib/ids.ts";

/** Set-ups of every kind that the rules let in, names and secrets of any characters among them. */

/** What YAML, references and templates could take for something else. */
const odd = fc.constantFrom(
  "${HOME}",
  "$${x}",
  "a: b",
  "- x",
  "#",
  "'",
  '"',
  "null",
  "yes",
  "0x1f",
  "1e3",
  "ü 漢字",
  "a\\n",
);
const text = fc
  .oneof(odd, fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }))
  .map((one) => one.trim())
  .filter((one) => one !== "");
const secret = fc
  .string({ minLength: 17, maxLength: 30 })
  .filter((one) => cleanSecret(one) === one && isPlainSecret(one));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const unique = <T>(item: fc.Arbitrary<T>, of: (one: T) => string, most = 4) =>
  fc.uniqueArray(item, { selector: of, maxLength: most });

const connection = fc.record(
  {
    name: text,
    provider: fc.constant("openai-compatible"),
    base_url: fc.integer({ min: 1, max: 65_000 }).map((port) => `http://127.0.0.1:${port}/v1`),
    keys: fc.array(secret, { maxLength: 3 }),
    priority: fc.nat(1_000),
    enabled: fc.boolean(),
    stands_in: fc.boolean(),
  },
  { requiredKeys: ["name", "provider", "base_url"] },
);

const key = fc.record({
  name: text,
  sha256: fc.nat().map((number) => sha256(String(number))),
  hint: fc.constant("sk-ab…wxyz"),
  models: orNull(fc.array(text, { maxLength: 3 })),
  limit_usd: orNull(fc.nat(1_000_000).map((cents) => cents / 100)),
  reset: fc.constantFrom("never" as const, "daily" as const, "monthly" as const),
  expires_at: orNull(fc.integer({ min: 1, max: 4e12 })),
  rpm: orNull(fc.integer({ min: 1, max: 1_000_000 })),
  concurrency: orNull(fc.integer({ min: 1, max: 100_000 })),
  hosted_tools: orNull(fc.boolean()),
  mask_secrets: orNull(fc.boolean()),
  mask_words: fc.constantFrom(null, "Acme", "Acme\nglobex.example"),
  disabled: fc.boolean(),
});

/** Models of a server that is asked for nothing here. */
const model = fc.nat(50).map((number) => `house/model-${number}`);
const chain = fc.uniqueArray(model, { minLength: 1, maxLength: 4 });
/** Names of models are names of routes too where a connection serves them. */
const routeName = fc.oneof(
  fc.nat(30).map((number) => `route-${number}`),
  model,
);
const alias = fc.nat(30).map((number) => `alias-${number}`);

const route = (keys: readonly string[]) =>
  fc.record({
    name: routeName,
    models: chain,
    order: optional(fc.constantFrom("listed" as const, "cheapest" as const, "fastest" as const)),
    sticky: optional(fc.boolean()),
    rules: optional(
      fc.array(
        fc.record({
          when: fc.record(
            {
              kinds: fc.uniqueArray(fc.constantFrom(...requestKinds), { minLength: 1 }),
              input_tokens_above: fc.nat(1_000_000),
              clients: fc.array(text, { minLength: 1, maxLength: 3 }),
              ...(keys.length > 0 && { keys: fc.uniqueArray(fc.constantFrom(...keys), { minLength: 1 }) }),
              hours: fc.constant({ from: "22:00", until: "06:30" }),
            },
            { requiredKeys: ["input_tokens_above"] },
          ),
          models: chain,
          enabled: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
    ),
    enabled: optional(fc.boolean()),
  });

const price = fc.dictionary(
  fc.constantFrom(...ownUnits),
  fc.nat(9_000_000).map((micro) => micro / 1_000_000),
  { minKeys: 1 },
);

const budget = fc.record({
  scope: fc.record({ kind: fc.constantFrom("client" as const, "project" as const), name: text }),
  reset: fc.constantFrom("daily" as const, "monthly" as const),
  limit_usd: fc.nat(100_000_000).map((cents) => cents / 100),
});

export const anySetup: fc.Arbitrary<Setup> = unique(key, ({ sha256: hash }) => hash)
  .chain((keys) =>
    fc.record({
      connections: unique(connection, ({ name }) => name.toLowerCase()),
      keys: fc.constant(keys),
      routes: unique(route(keys.map(({ sha256: hash }) => hash)), ({ name }) => name),
      aliases: fc.dictionary(alias, model, { maxKeys: 4 }),
      prices: fc.dictionary(model, price, { maxKeys: 3 }),
      budgets: unique(budget, ({ scope, reset }) => `${reset} ${scope.kind} ${scope.name}`),
      settings: fc.record(
        {
          monthly_budget_usd: orNull(fc.nat(100_000).map((cents) => cents / 100)),
          backup_keep: orNull(fc.integer({ min: 1, max: 300 })),
          sandbox: fc.constantFrom("on" as const, "off" as const, "auto" as const),
          allow_targets: fc.constantFrom<string[]>([], ["127.0.0.1:3000", "192.168.1.5:80"]),
        },
        { requiredKeys: [] },
      ),
      search_keys: fc.record({ brave: secret, exa: secret }, { requiredKeys: [] }),
      metrics_key: fc.nat().map((number) => ({ sha256: sha256(String(number)), hint: "pm-ab…wxyz" })),
      webhook_secret: fc.nat(255).map((byte) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`),
    }),
  )
  .map((setup): Setup => {
    const models = setup.routes.flatMap(({ models: chain, rules = [] }) =>
      [chain, ...rules.map((rule) => rule.models)].flat(),
    );
    return { ...setup, route_models: setup.routes.flatMap(({ name }) => (models.includes(name) ? [name] : [])) };
  });
