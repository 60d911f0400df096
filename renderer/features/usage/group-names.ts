import type { UsageGroup } from "../../../gateway/contract/usage.ts";
import type { Messages } from "../../locales/messages.ts";

/** A group as people call it. Keys have names; what has none is said in words. */
export function groupName(by: UsageGroup, group: string, keyName: (id: string) => string, t: Messages): string {
  if (group === "") return t.usage.nameless[by];
  if (by === "key") return keyName(group);
  if (by === "endpoint") return group in t.usage.endpoints ? endpointName(group, t) : group;
  return group;
}

const endpointName = (endpoint: string, t: Messages): string =>
  (t.usage.endpoints as Readonly<Record<string, string>>)[endpoint] ?? endpoint;
