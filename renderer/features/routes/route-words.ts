import type { RouteConditions, RouteRule } from "../../../gateway/contract/routes.ts";
import { formatCount } from "../../lib/format.ts";
import type { Messages } from "../../locales/messages.ts";

/** When a rule applies, in words: "Background, input above 60,000 tokens". @param keyName of a key's id */
export function conditionsInWords(when: RouteConditions, t: Messages, keyName: (id: string) => string): string {
  const { kinds, input_tokens_above: above, clients, keys, hours, budget_used_above: budget } = when;
  const words = t.routes.when;
  const parts = [
    kinds !== undefined && t.routes.anyOf(kinds.map((kind) => t.kinds[kind])),
    above !== undefined && words.above(formatCount(above)),
    clients !== undefined && words.clients(t.routes.anyOf(clients)),
    keys !== undefined && words.keys(t.routes.anyOf(keys.map(keyName))),
    hours !== undefined && words.hours(hours.from, hours.until),
    budget !== undefined && words.budget(String(budget)),
  ];
  return parts.filter((part) => part !== false).join(t.routes.and);
}

/** A rule as one line: "Background → claude-haiku-4-5". */
export const ruleInWords = ({ when, models }: RouteRule, t: Messages, keyName: (id: string) => string): string =>
  `${conditionsInWords(when, t, keyName)} → ${models.join(" → ")}`;
