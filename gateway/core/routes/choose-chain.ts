import type { Route } from "../../contract/routes.ts";
import type { RequestFacts } from "./request-facts.ts";
export function chooseChain(
  route: Pick<Route, "models" | "rules">,
  facts: Pick<RequestFacts, "kinds" | "inputTokens">,
  _at: { client: string; key: string; minuteOfDay: number; budgetUsed(): number },
): { models: readonly string[]; rule: number | null } {
  const index = route.rules.findIndex(
    ({ enabled, when }) => enabled && (when.kinds?.some((k) => facts.kinds.includes(k)) ?? false),
  );
  const held = route.rules[index];
  return held === undefined ? { models: route.models, rule: null } : { models: held.models, rule: index + 1 };
}
