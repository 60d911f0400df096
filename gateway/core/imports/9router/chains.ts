import type { SetupPrice } from "../../../contract/setup.ts";
import { followChain } from "../chains.ts";
import type { SetupBuilder } from "../setup-builder.ts";
import type { SourceFields } from "../fields.ts";
import { readItems, readMembers, readNumber, readText } from "../values.ts";
import { modelNamed } from "./accounts.ts";
import type { Reached } from "./accounts.ts";

type Path = readonly (string | number)[];

/** A chain that has a name (`combos`). */
export interface Combo {
  readonly name: string;
  /** Models and nested combos, in order. */
  readonly steps: readonly { readonly text: string; readonly path: Path }[];
  readonly isActive: boolean;
  /** Whether models are tried in this order; other strategies have no equivalent in Postern. */
  readonly isOrdered: boolean;
  readonly fields: SourceFields;
}

/** Names of one model each (`modelAliases`): `{fast: "openai/gpt-5"}`, or `{provider, model}`. */
export interface Aliases {
  readonly data: unknown;
  readonly fields: SourceFields;
}

/** Makes routes of combos and names of models. */
export function addChains(
  draft: SetupBuilder,
  combos: readonly Combo[],
  aliases: Aliases,
  reached: readonly Reached[],
): void {
  const named = readMembers(aliases.data);
  const byName = new Map(combos.map((combo) => [combo.name, combo]));
  const step = (text: string) => {
    const model = modelNamed(draft, reached, text);
    const alias = Object.hasOwn(named, text) ? readTarget(named[text]) : null;
    const next = byName.get(text)?.steps.map((each) => each.text) ?? (alias === null ? [] : [alias]);
    return model === null ? { models: [], next } : { models: [model], next: [] };
  };
  const modelsOf = (text: string): readonly string[] => followChain(text, step);
  for (const { name, steps, isActive, isOrdered, fields } of combos) {
    const models = followChain("", (text) =>
      text === "" ? { models: [], next: steps.map((first) => first.text) } : step(text),
    );
    const route = draft.route(name, { models: [...models], ...(isActive ? {} : { enabled: false }) });
    if (route === null) {
      fields.left([], models.length === 0 ? "unknown-provider" : "renamed");
      continue;
    }
    const becomes = `route "${route}"`;
    for (const path of [["id"], ["data", "id"], ["data", "isActive"], ["kind"]]) fields.recordTaken(path, becomes);
    for (const path of [["name"], ["data", "name"]]) {
      if (route === name) fields.recordTaken(path, becomes);
      else fields.noteChange(path, becomes, "renamed");
    }
    if (isOrdered) fields.recordTaken(["data", "strategy"], becomes);
    for (const { text, path } of steps) {
      const own = modelsOf(text);
      if (own.length === 0) fields.left(path, "unknown-provider");
      else if (!own.some((model) => models.includes(model))) fields.left(path, "not-supported");
      else fields.recordTaken(path, `model ${own.join(", ")} of ${becomes}`);
    }
  }
  for (const [name, value] of Object.entries(named)) {
    const target = readTarget(value);
    const [model] = target === null ? [] : modelsOf(target);
    const alias = model === undefined ? null : draft.alias(name, model);
    if (alias !== null) aliases.fields.recordTaken([name], `alias "${alias}" of ${model}`);
    else aliases.fields.left([name], model === undefined ? "unknown-provider" : "renamed");
  }
}

function readTarget(value: unknown): string | null {
  const { provider, model } = readMembers(value);
  const parts = [readText(provider), readText(model)];
  return readText(value) ?? (parts.includes(null) ? null : parts.join("/"));
}

/** Prices that the user has set: by provider, by model, in USD for a million tokens. */
export function addPrices(
  draft: SetupBuilder,
  pricing: unknown,
  fields: SourceFields,
  reached: readonly Reached[],
): void {
  for (const [provider, models] of Object.entries(readMembers(pricing))) {
    for (const [model, value] of Object.entries(readMembers(models))) {
      const id = modelNamed(draft, reached, `${provider}/${model}`);
      if (id === null) fields.left([provider, model], "unknown-provider");
      else if (draft.price(id, readRates(value))) fields.recordTaken([provider, model], `price of "${id}"`);
      else fields.left([provider, model], "not-supported");
    }
  }
}

function readRates(value: unknown): SetupPrice {
  const { input, output, cached, cache_creation: written } = readMembers(value);
  const rates = {
    input: readNumber(input),
    output: readNumber(output),
    cached_input: readNumber(cached),
    cache_write: readNumber(written),
  };
  return Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate !== null));
}

/** Every model that combos and aliases name. */
export function listNamedModels(combos: readonly Combo[], aliases: Aliases): readonly string[] {
  return [
    ...combos.flatMap(({ steps }) => steps.map(({ text }) => text)),
    ...Object.values(readMembers(aliases.data)).flatMap((value) => readTarget(value) ?? []),
  ];
}

/** Steps of a combo: texts, `{model, provider}`, or another combo. */
export function findSteps(models: unknown, path: Path): Combo["steps"] {
  return readItems(models).flatMap((item, index) => {
    const step = readMembers(item);
    const model = readText(step["model"]);
    const provider = readText(step["providerId"]) ?? readText(step["provider"]);
    const whole = model === null || model.includes("/") || provider === null ? model : `${provider}/${model}`;
    const text = readText(item) ?? readText(step["comboName"]) ?? whole;
    return text === null ? [] : [{ text, path: [...path, index] }];
  });
}
