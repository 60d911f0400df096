import { getAppName } from "../../../gateway/contract/apps.ts";
import type { RouteView } from "../../../gateway/contract/route-operations.ts";
import {
  setRouteSchema,
  type Route,
  type RouteConditions,
  type RouteOrder,
  type SetRoute,
} from "../../../gateway/contract/routes.ts";
import type { RequestKind } from "../../../gateway/contract/routed.ts";

/** Conditions of a rule, each at most once. */
export const conditions = ["kinds", "above", "clients", "keys", "hours", "budget"] as const;
export type Condition = (typeof conditions)[number];

/** A rule in the form: an unused condition is null, numbers are text. */
export interface RuleDraft {
  /** Identifies rules of a draft while they are reordered. */
  readonly id: number;
  readonly kinds: readonly RequestKind[] | null;
  /** Input tokens. */
  readonly above: string | null;
  /** Clients, separated by commas. */
  readonly clients: string | null;
  readonly keys: readonly string[] | null;
  readonly hours: { readonly from: string; readonly until: string } | null;
  /** Per cent. */
  readonly budget: string | null;
  readonly models: readonly string[];
  readonly enabled: boolean;
}

export interface RouteDraft {
  readonly name: string;
  readonly models: readonly string[];
  readonly order: RouteOrder;
  readonly sticky: boolean;
  readonly rules: readonly RuleDraft[];
}

export const emptyRoute: RouteDraft = { name: "", models: [], order: "listed", sticky: false, rules: [] };

/** Creates a rule with only the condition on kinds, and a unique id. */
export function createRule(rules: readonly RuleDraft[], change: Partial<RuleDraft> = {}): RuleDraft {
  return {
    id: Math.max(0, ...rules.map(({ id }) => id)) + 1,
    ...noConditions,
    kinds: [],
    models: [],
    enabled: true,
    ...change,
  };
}

const noConditions = { kinds: null, above: null, clients: null, keys: null, hours: null, budget: null } as const;

/** Initial values of the conditions. */
export const atFirst: { readonly [Name in Condition]: NonNullable<RuleDraft[Name]> } = {
  kinds: [],
  above: "60000",
  clients: "",
  keys: [],
  hours: { from: "09:00", until: "17:00" },
  budget: "80",
};

export function draftOfRoute({ name, models, order, sticky, rules }: Route | RouteView): RouteDraft {
  return {
    name,
    models,
    order,
    sticky,
    rules: rules.map(({ when, models: chain, enabled }, at) => ({
      id: at + 1,
      kinds: when.kinds ?? null,
      above: getText(when.input_tokens_above),
      clients: when.clients?.map(getAppName).join(", ") ?? null,
      keys: when.keys ?? null,
      hours: when.hours ?? null,
      budget: getText(when.budget_used_above),
      models: chain,
      enabled,
    })),
  };
}

const getText = (figure: number | undefined): string | null => (figure === undefined ? null : String(figure));

/** A field of the form: `name`, `models`, or of a rule by index: `2.models`, `0.above`; `0.when` without conditions. */
export type RouteField = "name" | "models" | "rules" | `${number}.${Condition | "models" | "when"}`;

export type ReadRoute =
  | { readonly ok: true; readonly route: SetRoute }
  | { readonly ok: false; readonly invalid: ReadonlySet<RouteField> };

/** The form's text as a route, by the contract's own bounds. */
export function readRoute(draft: RouteDraft): ReadRoute {
  const { name, models, order, sticky } = draft;
  const rules = draft.rules.map((rule) => ({
    when: getConditions(rule),
    models: [...rule.models],
    enabled: rule.enabled,
  }));
  const result = setRouteSchema.safeParse({ name: name.trim(), models: [...models], order, sticky, rules });
  if (result.success) return { ok: true, route: result.data };
  return { ok: false, invalid: new Set(result.error.issues.flatMap(({ path }) => getField(path) ?? [])) };
}

function getConditions({ kinds, above, clients, keys, hours, budget }: RuleDraft): RouteConditions {
  const when = {
    kinds,
    input_tokens_above: getNumber(above),
    clients: clients === null ? null : findNames(clients),
    keys,
    hours,
    budget_used_above: getNumber(budget),
  };
  return Object.fromEntries(Object.entries(when).filter(([, value]) => value !== null));
}

/** Parses a number. Invalid text becomes NaN, which the schema refuses, as it does an empty field. */
function getNumber(text: string | null): number | null {
  if (text === null) return null;
  const plain = text.replaceAll(/[\s,]/g, "").replace(/%$/, "");
  return plain === "" ? Number.NaN : Number(plain);
}

export const findNames = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");

const conditionNames: Readonly<Record<keyof RouteConditions, Condition>> = {
  kinds: "kinds",
  input_tokens_above: "above",
  clients: "clients",
  keys: "keys",
  hours: "hours",
  budget_used_above: "budget",
};

/** @param path of a value in the request: `["rules", 1, "when", "kinds"]` */
function getField(path: readonly PropertyKey[]): RouteField | undefined {
  const [top, at, part, condition] = path;
  if (top === "name" || top === "models") return top;
  if (top !== "rules") return undefined;
  const rule = Number(at);
  if (at === undefined || !Number.isInteger(rule)) return "rules";
  if (part === "models") return `${rule}.models`;
  const known = Object.hasOwn(conditionNames, String(condition))
    ? conditionNames[String(condition) as keyof RouteConditions]
    : "when";
  return `${rule}.${known}`;
}

/** Returns the form field for a parameter in an error (`rules[1].models`); undefined if there is no such field. */
export const getFieldOfParam = (param: string | null): RouteField | undefined =>
  getField((param ?? "").split(/[.[\]]+/).filter((step) => step !== ""));

/** Moves a member to another place; returns the same list if it cannot move. */
export function moveMember<Member>(list: readonly Member[], from: number, to: number): readonly Member[] {
  const member = list[from];
  if (member === undefined || to < 0 || to >= list.length || from === to) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, member);
}
