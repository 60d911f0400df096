import { requestKinds, type RequestKind } from "../../gateway/contract/routed.ts";
import type { RouteConditions, RouteRule } from "../../gateway/contract/routes.ts";
import { UsageError } from "./command-errors.ts";

/**
 * Text syntax of route rules: `background,title and input>20000: claude-haiku-4-5, gpt-5.4-mini`. All conditions joined
 * by `and` must match; of values joined by commas, any.
 */

/** Names of conditions and what follows them. */
export const RULE_HELP =
  "kinds of request, input>TOKENS, client=NAME, key=NAME, hours=HH:MM-HH:MM, budget>PERCENT, joined by and";

/** Things that rules name by id and people by name. */
export interface NamedKey {
  readonly id: string;
  readonly name: string;
}

/** Tells whether a rule refers to keys, which must then be fetched. */
export const namesKeys = (text: string): boolean => /\bkey\s*=/.test(text);

/**
 * @param keys all local keys, for `key=`
 * @returns the enabled rule
 * @throws UsageError naming the invalid part
 */
export function ruleFromText(text: string, keys: readonly NamedKey[]): RouteRule {
  const colon = /:\s+/.exec(text);
  if (colon === null)
    throw new UsageError(`--rule takes CONDITIONS: MODELS, such as "background: gpt-5.4-mini", not "${text}".`);
  const models = splitList(text.slice(colon.index + colon[0].length));
  if (models.length === 0) throw new UsageError(`--rule "${text}" names no model.`);
  let when: RouteConditions = {};
  for (const part of text.slice(0, colon.index).split(/\s+and\s+/)) {
    const condition = conditionFromText(part.trim(), keys);
    const again = Object.keys(condition).some((name) => name in when);
    if (again)
      throw new UsageError(`--rule "${text}" has two conditions of one kind. Join what may be either by commas.`);
    when = { ...when, ...condition };
  }
  return { when, models, enabled: true };
}

function conditionFromText(text: string, keys: readonly NamedKey[]): RouteConditions {
  const [, name, value = ""] = /^(input\s*>|client\s*=|key\s*=|hours\s*=|budget\s*>)\s*(.*)$/.exec(text) ?? [];
  switch (name?.replaceAll(/\s/g, "")) {
    case "input>":
      return { input_tokens_above: numberFrom(value, text) };
    case "budget>":
      return { budget_used_above: numberFrom(value.replace(/\s*%$/, ""), text) };
    case "client=":
      return { clients: fill(splitList(value), text) };
    case "key=":
      return { keys: fill(splitList(value), text).map((key) => keyId(key, keys)) };
    case "hours=": {
      const [, from, until] = /^(\d\d:\d\d)\s*-\s*(\d\d:\d\d)$/.exec(value) ?? [];
      if (from === undefined || until === undefined)
        throw new UsageError(`A rule's hours are written as hours=22:00-06:00, not "${text}".`);
      return { hours: { from, until } };
    }
    default:
      return { kinds: fill(splitList(text), text).map(kindFrom) };
  }
}

function kindFrom(text: string): RequestKind {
  const kind = requestKinds.find((one) => one === text.replaceAll("-", "_"));
  if (kind !== undefined) return kind;
  throw new UsageError(
    `A rule has no condition "${text}". Conditions are ${RULE_HELP}. Kinds are ${requestKinds.join(", ")}.`,
  );
}

function keyId(text: string, keys: readonly NamedKey[]): string {
  const [key, ...others] = keys.some(({ id }) => id === text)
    ? keys.filter(({ id }) => id === text)
    : keys.filter(({ name }) => name === text);
  if (key === undefined) throw new UsageError(`There is no key "${text}". "postern keys list" names them.`);
  if (others.length > 0) throw new UsageError(`Several keys are called "${text}". Name one by its id.`);
  return key.id;
}

function numberFrom(value: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(value)) throw new UsageError(`A rule's condition takes a number, not "${text}".`);
  return Number(value);
}

function fill(entries: readonly string[], text: string): string[] {
  if (entries.length === 0) throw new UsageError(`A rule's condition is empty: "${text}".`);
  return [...entries];
}

const splitList = (text: string): string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

/** Writes the rule as text again, with keys by their names if these are unique and plain in it. */
export function ruleText({ when, models }: RouteRule, keys: readonly NamedKey[]): string {
  const { kinds, input_tokens_above: input, clients, keys: ids, hours, budget_used_above: budget } = when;
  const nameOf = (id: string): string => {
    const name = keys.find((key) => key.id === id)?.name ?? id;
    const isPlain = !/,|:\s|\sand\s|^\s|\s$/.test(name) && keys.filter((key) => key.name === name).length === 1;
    return isPlain ? name : id;
  };
  const conditions = [
    kinds?.join(","),
    input === undefined ? undefined : `input>${input}`,
    clients === undefined ? undefined : `client=${clients.join(",")}`,
    ids === undefined ? undefined : `key=${ids.map(nameOf).join(",")}`,
    hours === undefined ? undefined : `hours=${hours.from}-${hours.until}`,
    budget === undefined ? undefined : `budget>${budget}`,
  ];
  return `${conditions.filter((condition) => condition !== undefined).join(" and ")}: ${models.join(", ")}`;
}
