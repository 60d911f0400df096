import type { UsageGroup } from "../../../gateway/contract/usage.ts";
import type { Messages } from "../../locales/messages.ts";

/** A group as people call it. Keys have names; what has none is said in words. */
export function groupName(by: UsageGroup, group: string, keyName: (id: string) => string, t: Messages): string {
  if (group === "") return t.usage.nameless[by];
  if (by === "key") return keyName(group);
  return by === "endpoint" ? endpointName(group, t) : group;
}

function endpointName(endpoint: string, t: Messages): string {
  const names: Readonly<Record<string, string>> = t.usage.endpoints;
  return Object.hasOwn(names, endpoint) ? (names[endpoint] ?? endpoint) : endpoint;
}
