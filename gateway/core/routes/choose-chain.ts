import type { Route, RouteConditions } from "../../contract/routes.ts";
import { matchesGlob } from "../glob.ts";
import { matchesApp } from "../keys/client-name.ts";
import type { RequestFacts } from "./request-facts.ts";

/** The client and time of a request. */
export interface RequestOrigin {
  /** The client's name as in receipts. */
  readonly client: string;
  /** Id of the local key. */
  readonly key: string;
  /** Minutes since midnight by the clock of the machine, 0 to 1439. */
  readonly minuteOfDay: number;
  /** Per cent that are spent of the key's limit, the monthly budget or another budget of the call, whichever is most; 0 without one. */
  budgetUsed(): number;
}

export interface ChosenChain {
  /** Ids or names of models, in the order of the chain as it is written. */
  readonly models: readonly string[];
  /** Number of the matching rule, from 1; null: the route's default chain. */
  readonly rule: number | null;
}

type Facts = Pick<RequestFacts, "kinds" | "inputTokens">;

/** Returns the chain of the first enabled rule whose conditions all match; else the route's default. */
export function chooseChain(route: Pick<Route, "models" | "rules">, facts: Facts, at: RequestOrigin): ChosenChain {
  for (const [index, { enabled, when, models }] of route.rules.entries()) {
    if (enabled && holds(when, facts, at)) return { models, rule: index + 1 };
  }
  return { models: route.models, rule: null };
}

/** Checks a rule's conditions; slow ones come last. */
function holds(when: RouteConditions, facts: Facts, at: RequestOrigin): boolean {
  const { keys, hours, clients, kinds, budget_used_above: budget, input_tokens_above: tokens } = when;
  return (
    (keys === undefined || keys.includes(at.key)) &&
    (hours === undefined || isWithin(hours, at.minuteOfDay)) &&
    (clients === undefined || matchesClient(clients, at.client)) &&
    (kinds === undefined || kinds.some((kind) => facts.kinds.includes(kind))) &&
    (budget === undefined || at.budgetUsed() > budget) &&
    (tokens === undefined || facts.inputTokens() > tokens)
  );
}

/** A request has its own name (`OpenAI/JS`) and that of its app. */
function matchesClient(patterns: readonly string[], client: string): boolean {
  const name = client.toLowerCase();
  return patterns.some((pattern) => matchesGlob(pattern.toLowerCase(), name) || matchesApp(pattern, client));
}

/**
 * Tells whether a minute lies in [from, until); the range wraps at midnight if `until` is earlier, and is all day if
 * equal.
 */
function isWithin({ from, until }: NonNullable<RouteConditions["hours"]>, minute: number): boolean {
  const [start, end] = [getMinutes(from), getMinutes(until)];
  return start < end ? start <= minute && minute < end : minute >= start || minute < end;
}

function getMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** Minutes since midnight, by the clock of this machine. */
export function minuteOfDay(at: Date): number {
  return at.getHours() * 60 + at.getMinutes();
}
