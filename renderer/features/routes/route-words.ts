import { getAppName } from "../../../gateway/contract/apps.ts";
import type { RouteConditions } from "../../../gateway/contract/routes.ts";
import { formatCount } from "../../lib/format.ts";
import type { Messages } from "../../locales/messages.ts";

/** Names of which any will do: "Background, Title or Web search". */
export function joinAny(names: readonly string[], t: Messages): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : t.routes.or(names.slice(0, -1).join(t.routes.comma), last);
}

/** Formats a rule's conditions: "Background, input above 60,000 tokens". @param keyName returns a key's name */
export function formatConditionsInWords(when: RouteConditions, t: Messages, keyName: (id: string) => string): string {
  const { kinds, input_tokens_above: above, clients, keys, hours, budget_used_above: budget } = when;
  const words = t.routes.when;
  const parts = [
    kinds !== undefined &&
      joinAny(
        kinds.map((kind) => t.routes.kinds[kind]),
        t,
      ),
    above !== undefined && words.above(formatCount(above)),
    clients !== undefined && words.clients(joinAny(clients.map(getAppName), t)),
    keys !== undefined && words.keys(joinAny(keys.map(keyName), t)),
    hours !== undefined && words.hours(hours.from, hours.until),
    budget !== undefined && words.budget(String(budget)),
  ];
  return parts.filter((part) => part !== false).join(t.routes.and);
}
