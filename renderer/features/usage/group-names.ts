import type { UsageGroup } from "../../../gateway/contract/usage.ts";
import { nameOf } from "../../lib/names.ts";
import type { Messages } from "../../locales/messages.ts";

/** A group as people call it. Keys have names; what has none is said in words. */
export function groupName(by: UsageGroup, group: string, keyName: (id: string) => string, t: Messages): string {
  if (group === "") return t.usage.nameless[by];
  if (by === "key") return keyName(group);
  return by === "endpoint" ? nameOf(t.requests.endpoints, group) : group;
}
