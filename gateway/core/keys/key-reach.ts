import { GatewayError } from "../errors.ts";
import { isRecord } from "../../lib/records.ts";
import { isFoldedName, refuseFoldedNames } from "./folded-names.ts";

/**
 * The effect of a request's field beyond the request's own model. `model`: it names another model. `hosted_tool`: it
 * makes the provider do work that costs extra, by a hosted tool or on another route. `stored_object`: it refers to or
 * creates an object in the provider account.
 */
type Reach = "model" | "hosted_tool" | "stored_object";

/**
 * A field by its path, e.g. `tools[].type`; with a pattern, only if its value matches. Null, false and empty lists
 * count as absent.
 */
export type FieldPath = string | readonly [path: string, values: RegExp];

/** A field that exceeds the key's permissions, with its place in the request. */
interface FoundField {
  readonly reach: Reach;
  /** The path with indexes, such as `tools[0].type`. */
  readonly path: string;
  readonly value: unknown;
}

interface Rule {
  readonly reach: Reach;
  readonly rest: readonly string[];
  readonly values: RegExp | null;
}

/** Providers have rules in common, and each is a walk through the conversation. */
const isSameRule = (one: Rule, other: Rule): boolean =>
  one.reach === other.reach &&
  one.rest.join(".") === other.rest.join(".") &&
  String(one.values) === String(other.values);

/** Lists as long as the conversation; they are only scanned if needed. */
const LONG = new Set(["messages", "input", "contents"]);

const NOTHING: readonly FoundField[] = [];

/** Tells which fields of a provider's endpoint exceed a key's permissions; fields that are not listed pass. */
export class FieldRules {
  /** Rules by the name at the top of a body. */
  #rules: readonly (readonly [top: string, rules: readonly Rule[]])[];

  constructor(paths: Readonly<Partial<Record<Reach, readonly FieldPath[]>>>) {
    const byTop = new Map<string, Rule[]>();
    for (const reach of ["model", "hosted_tool", "stored_object"] as const) {
      for (const given of paths[reach] ?? []) {
        const [path, values] = typeof given === "string" ? [given, null] : given;
        const [top = "", ...rest] = path.replaceAll("[]", ".[]").split(".");
        byTop.set(top, [...(byTop.get(top) ?? []), { reach, rest, values }]);
      }
    }
    this.#rules = [...byTop];
  }

  /** All rules of several. */
  static join(parts: readonly (FieldRules | undefined)[]): FieldRules {
    const joined = new FieldRules({});
    const byTop = new Map<string, Rule[]>();
    for (const part of new Set(parts)) {
      if (part === undefined) continue;
      for (const [top, rules] of part.#rules) {
        const known = byTop.get(top) ?? [];
        byTop.set(top, [...known, ...rules.filter((rule) => !known.some((other) => isSameRule(rule, other)))]);
      }
    }
    joined.#rules = [...byTop];
    return joined;
  }

  /** At the top of a body. */
  get names(): readonly string[] {
    return this.#rules.map(([top]) => top);
  }

  /**
   * Finds the fields in a body that the rules name.
   * @param thorough also if that requires a scan of the conversation.
   */
  find(body: Readonly<Record<string, unknown>>, thorough: boolean): readonly FoundField[] {
    let found: FoundField[] | null = null;
    let places: number[] = NOWHERE;
    for (const [top, rules] of this.#rules) {
      const value = body[top];
      if (value === undefined || value === null || (!thorough && LONG.has(top))) continue;
      if (found === null) {
        found = [];
        places = [];
      }
      for (const rule of rules) collect(rule, top, 0, value, places, found);
    }
    return found ?? NOTHING;
  }
}

const NOWHERE: number[] = [];

/** @param places indexes of the lists on the path. Paths are only formatted for reported fields. */
function collect(rule: Rule, top: string, depth: number, value: unknown, places: number[], found: FoundField[]): void {
  const step = rule.rest[depth];
  if (step === undefined) {
    if (isGiven(value) && (rule.values === null || (isScalar(value) && rule.values.test(String(value)))))
      found.push({ reach: rule.reach, path: getPath(top, rule.rest, places), value });
  } else if (step === "[]") {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index += 1) {
      places.push(index);
      collect(rule, top, depth + 1, value[index], places, found);
      places.pop();
    }
  } else if (isRecord(value)) {
    for (const name in value) if (isFoldedName(name, step)) refuseFoldedNames([name], (known) => known === step);
    if (Object.hasOwn(value, step)) collect(rule, top, depth + 1, value[step], places, found);
  }
}

function getPath(top: string, steps: readonly string[], places: readonly number[]): string {
  let path = top;
  let list = 0;
  for (const step of steps) path += step === "[]" ? `[${places[list++]}]` : `.${step}`;
  return path;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** The fields of a local key that decide what its requests may use. Money in nano USD. */
export interface KeyReach {
  readonly name: string;
  readonly models: readonly string[] | null;
  readonly limit_nano: number | null;
  /** Null or missing: depends on the limits. */
  readonly hosted_tools?: boolean | null;
  readonly stored_objects?: boolean | null;
}

/** Tells whether a key may use such fields: by default only a key without model and money limits may. */
export function mayReach(key: KeyReach, reach: Exclude<Reach, "model">): boolean {
  const permission = reach === "hosted_tool" ? key.hosted_tools : key.stored_objects;
  return permission ?? (key.models === null && key.limit_nano === null);
}

/**
 * Checks a provider request against the key's permissions. For unrestricted keys only the top level of the body is
 * read.
 * @param rules rules of the provider's endpoint. @param body the provider's body.
 * @param allowsModel tells whether the key may use this model.
 * @returns whether the provider will do work that costs more than tokens.
 * @throws GatewayError field_not_allowed, model_not_allowed: naming the field.
 */
export function checkReach(
  key: KeyReach,
  rules: FieldRules,
  body: Readonly<Record<string, unknown>>,
  allowsModel: (name: string) => boolean,
): boolean {
  const tools = mayReach(key, "hosted_tool");
  const objects = mayReach(key, "stored_object");
  let costs = false;
  for (const { reach, path, value } of rules.find(body, key.models !== null || !tools || !objects)) {
    if (reach === "model") {
      if (key.models === null || (typeof value === "string" && allowsModel(value))) continue;
      const named = typeof value === "string" ? `the model ${shown(value)}` : "models";
      throw new GatewayError(
        "model_not_allowed",
        `The key "${key.name}" may not use ${named}, which '${path}' names. Leave the field out, or allow the model on the Keys page.`,
        { param: path },
      );
    }
    if (reach === "hosted_tool") {
      if (!tools) throw createRefusal(key, path, value, TOOLS);
      costs = true;
    } else if (!objects) throw createRefusal(key, path, value, OBJECTS);
  }
  return costs;
}

const TOOLS = ["asks the provider for what costs beside tokens", "hosted tools"] as const;
const OBJECTS = ["reaches what is stored in the provider's account", "stored objects"] as const;

function createRefusal(
  key: KeyReach,
  path: string,
  value: unknown,
  [does, what]: readonly [string, string],
): GatewayError {
  const shownValue = typeof value === "string" ? ` (${shown(value)})` : "";
  return new GatewayError(
    "field_not_allowed",
    `'${path}'${shownValue} ${does}, and the key "${key.name}" may not use ${what}. Leave the field out, or allow ${what} for this key on the Keys page.`,
    { param: path },
  );
}

function shown(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}
