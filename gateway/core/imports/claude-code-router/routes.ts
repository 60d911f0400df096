import type { SetupBuilder } from "../setup-builder.ts";
import { chooseRules } from "./rules.ts";
import type { Routing } from "./routing.ts";

/** Route for clients that request no Claude model. */
const ROUTE = "claude-code-router";

/**
 * Adds routes, because the router accepts any model name. For Claude Code each class gets a route named like its newest
 * model, which it requests by default; other clients get one more route.
 * @param named rules of version 3
 * @returns the names of the routes
 */
export function addRoutes(draft: SetupBuilder, routing: Routing): readonly string[] {
  const { named } = routing;
  const exact = named.flatMap(({ exactly }) => exactly ?? []);
  const names = [...newestOfClasses(draft.known.claudeModels), ROUTE, ...new Set(exact)];
  return names.flatMap((name) => {
    const ruled = chooseRules(name, named);
    const byClass = routing.byClass.get(readClass(name) ?? "");
    const own = ruled.own ?? byClass ?? routing.own;
    // A rule that always applies makes later rules for its name unreachable.
    const later = ruled.own === null ? routing.rules : [];
    const rules = [
      ...ruled.rules,
      ...later.filter(({ models }) => models.join() !== own.join() || byClass === undefined),
    ];
    const isItself = own.length === 1 && own[0] === name && rules.length === 0;
    if (own.length === 0 || isItself) return [];
    return draft.route(name, { models: [...own], rules }) ?? [];
  });
}

/** Returns the class of a Claude model: `opus` for `claude-opus-5-5`. */
const readClass = (model: string): string | null => /^claude-([a-z]+)-\d/.exec(model)?.[1] ?? null;

function newestOfClasses(models: readonly string[]): readonly string[] {
  const newest = new Map<string, string>();
  for (const model of models) {
    const group = readClass(model);
    if (group !== null && !newest.has(group)) newest.set(group, model);
  }
  return [...newest.values()];
}
