import type { RouteConditions, RouteRule } from "../../../contract/routes.ts";
import { LONGEST_CHAIN } from "../chains.ts";
import { MOST_RULES } from "../setup-builder.ts";
import type { SourceFields } from "../fields.ts";
import { readItems, readMembers, readNumber, readText } from "../values.ts";
import type { Target } from "./config.ts";

/**
 * Rules of version 3: `condition {left, operator, right}` over the request, and `rewrites`, of which one sets the model
 * (packages/core/src/config/config.ts, `parseRouterRules`; gateway/claude-code-router-plugin.ts, read at 1347c86 on
 * 2026-11-24).
 */

type Members = Readonly<Record<string, unknown>>;

/** A rule that routes can express. */
export interface NamedRule {
  /** Whether it holds for requests that name this model; null: it does not ask for the name. */
  readonly names: ((model: string) => boolean) | null;
  /** The single name that it matches, if any. */
  readonly exactly: string | null;
  /** Further conditions; null without any. */
  readonly when: RouteConditions | null;
  readonly models: readonly string[];
  readonly enabled: boolean;
}

/** The rules that Postern can follow; the others are marked as left. */
export function readRules(
  rules: unknown,
  fields: SourceFields,
  target: Target,
  fallback: readonly string[],
): NamedRule[] {
  const read: NamedRule[] = [];
  for (const [index, item] of readItems(rules).entries()) {
    // More than a route may have are left.
    const rule = read.length < MOST_RULES ? readRule(readMembers(item), fields.below([index]), target, fallback) : null;
    if (rule !== null) read.push(rule);
  }
  return read;
}

function readRule(rule: Members, fields: SourceFields, target: Target, usual: readonly string[]): NamedRule | null {
  const condition = readCondition(rule);
  const written = readRewrite(rule);
  if (condition === null || written === null) return null;
  const first = target(written.value);
  if (first === null) {
    fields.left(written.path, "unknown-provider");
    return null;
  }
  const own = readFallback(rule["fallback"], fields.below(["fallback"]), target);
  const models = [first, ...(own ?? usual)];
  const becomes = `rule → ${models.join(", ")}`;
  for (const name of ["id", "name", "type", "enabled", "condition", "pattern"])
    if (rule[name] !== undefined) fields.recordTaken([name], becomes);
  // Older spellings have the parts of the condition in the rule itself.
  for (const name of ["left", "path", "field", "parameter", "operator", "op", "right", "value"])
    if (rule["condition"] === undefined && rule[name] !== undefined) fields.recordTaken([name], becomes);
  for (const path of [written.path, ...written.same]) fields.recordTaken(path, becomes);
  return { ...condition, models, enabled: rule["enabled"] !== false };
}

/** Reads `fallback` of the router or a rule: its models in the mode `model-chain`; null without it or in another mode. */
export function readFallback(value: unknown, fields: SourceFields, target: Target): readonly string[] | null {
  const fallback = readMembers(value);
  const list = fallback["models"] ?? fallback["chain"] ?? fallback["fallbackModels"];
  const mode = readText(fallback["mode"])?.toLowerCase() ?? (readItems(list).length > 0 ? "model-chain" : "off");
  if (mode === "off") fields.left([], "unused");
  if (!["model-chain", "chain", "fallback-chain", "switch-model", "switch"].includes(mode)) return null;
  fields.recordTaken(["mode"], "fallback chain");
  // A failed call is repeated along the chain in any case.
  fields.left(["retryCount"], "default");
  const name = ["models", "chain", "fallbackModels"].find((each) => fallback[each] === list) ?? "models";
  return readItems(list).flatMap((item, index) => {
    const model = target(item);
    if (model === null) fields.left([name, index], "unknown-provider");
    else if (index > LONGEST_CHAIN - 2) fields.left([name, index], "not-supported");
    else fields.recordTaken([name, index], `fallback to ${model}`);
    return model ?? [];
  });
}

interface Rewrite {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** Paths of the same rewrite: version 3 writes a single rewrite twice. */
  readonly same: readonly (readonly (string | number)[])[];
}

/** The rewrite that sets the model. Of several the last one decides. */
function readRewrite(rule: Members): Rewrite | null {
  const places: { readonly path: readonly (string | number)[]; readonly value: unknown }[] = [
    ...["rewrite", "action"].map((name) => ({ path: [name], value: rule[name] })),
    ...readItems(rule["rewrites"]).map((value, index) => ({ path: ["rewrites", index], value })),
  ];
  const setting = places.flatMap(({ path, value }) => {
    const rewrite = readMembers(value);
    const key = rewrite["key"] ?? rewrite["path"] ?? rewrite["field"] ?? rewrite["parameter"];
    const operation = readText(rewrite["operation"] ?? rewrite["op"] ?? rewrite["type"]) ?? "set";
    return isModelField(key) && operation === "set" ? [{ path, value: rewrite["value"] }] : [];
  });
  if (readText(rule["target"]) !== null) setting.push({ path: ["target"], value: rule["target"] });
  const last = setting.at(-1);
  if (last === undefined) return null;
  return { ...last, same: setting.filter(({ value }) => value === last.value).map(({ path }) => path) };
}

const isModelField = (path: unknown): boolean => path === "request.body.model" || path === "request.model";

/** Returns the rule's condition; null if routes cannot express it. */
function readCondition(rule: Members): Pick<NamedRule, "names" | "exactly" | "when"> | null {
  const type = readText(rule["type"])?.toLowerCase();
  if (type === "script") return null;
  const pattern = readText(rule["pattern"]);
  if (type === "model-prefix" && pattern !== null)
    return { names: (model) => model.startsWith(pattern), exactly: null, when: null };
  const condition = readMembers(rule["condition"] ?? rule);
  const left = readText(condition["left"] ?? condition["path"] ?? condition["field"] ?? condition["parameter"]);
  const operator = readText(condition["operator"] ?? condition["op"]);
  const right = literal(condition["right"] ?? condition["value"]);
  if (left === null || operator === null || right === null) return null;
  if (isModelField(left)) return nameCondition(operator, right);
  const when = requestCondition(left, operator, right);
  return when === null ? null : { names: null, exactly: null, when };
}

/** A text without the quotes that version 3 takes off. */
function literal(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = readText(value);
  return text === null ? null : text.replace(/^"(.*)"$|^'(.*)'$/s, "$1$2");
}

function nameCondition(operator: string, right: string): Pick<NamedRule, "names" | "exactly" | "when"> | null {
  switch (operator) {
    case "==":
      return { names: (model) => model === right, exactly: right, when: null };
    case "!=":
      return { names: (model) => model !== right, exactly: null, when: null };
    case "starts-with":
      return { names: (model) => model.startsWith(right), exactly: null, when: null };
    case "contains":
      return { names: (model) => model.includes(right), exactly: null, when: null };
    case "not-contains":
      return { names: (model) => !model.includes(right), exactly: null, when: null };
    default:
      return null;
  }
}

function requestCondition(left: string, operator: string, right: string): RouteConditions | null {
  if (/^request\.token_?count$/i.test(left)) {
    const tokens = readNumber(right);
    if (tokens === null || tokens < 0 || tokens > 1e8 || (operator !== ">" && operator !== ">=")) return null;
    return { input_tokens_above: Math.max(0, operator === ">" ? Math.floor(tokens) : Math.ceil(tokens) - 1) };
  }
  const field = left.replace(/^request\.(body\.)?/, "");
  const contains = operator === "contains" || operator === "contains-deep";
  if (field === "thinking.type" && operator === "==" && (right === "enabled" || right === "adaptive"))
    return { kinds: ["thinking"] };
  if (field === "thinking" && operator === "!=" && (right === "null" || right === "undefined"))
    return { kinds: ["thinking"] };
  if (/^tools(\.\d+\.type)?$/.test(field) && (contains || operator === "starts-with") && right.startsWith("web_search"))
    return { kinds: ["web_search"] };
  if (field === "messages" && operator === "contains-deep" && (right === "image" || right === "image_url"))
    return { kinds: ["pictures"] };
  if (/^headers?\.user-agent$/i.test(field) && (contains || operator === "starts-with") && right.length < 100)
    return { clients: [`${operator === "starts-with" ? "" : "*"}${right}*`.slice(0, 100)] };
  return null;
}

/** The rules for requests that name a model, as a route of that name has them; and what it is without them. */
export function chooseRules(
  model: string,
  rules: readonly NamedRule[],
): { readonly own: readonly string[] | null; readonly rules: readonly RouteRule[] } {
  const supported: RouteRule[] = [];
  for (const { names, when, models, enabled } of rules) {
    if (names?.(model) === false) continue;
    if (when !== null) supported.push({ when, models: [...models], enabled });
    // A rule that always applies ends the list, and becomes the route's default.
    else if (enabled) return { own: models, rules: supported };
  }
  return { own: null, rules: supported };
}
