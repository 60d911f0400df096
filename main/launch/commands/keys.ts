import type { KeyView } from "../../../gateway/contract/key.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { keyOutlook } from "../../../gateway/core/money/outlook.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import type { Command, CommandValues } from "../command.ts";
import { endingNotes } from "../ending-notes.ts";
import { mirror } from "../mirror.ts";
import { printTable } from "../table.ts";
import { choiceOption, timeOption } from "../values.ts";

function limitLabel({ limit_usd: limit, reset }: KeyView): string {
  if (limit === null) return "none";
  return reset === "never" ? `$${limit}` : `$${limit} ${reset}`;
}

/** `$1.20`, `unpriced` of calls that have no price alone, and the sandbox's money apart from it. */
function spentLabel({ spent_nano: spent, sandbox_nano: sandbox }: KeyView, used: Totals | undefined): string {
  const real = spent - sandbox;
  const words = real === 0 && (used?.unpriced_requests ?? 0) > 0 ? "unpriced" : moneyLabel(real);
  return sandbox === 0 ? words : `${words} + ${moneyLabel(sandbox)} sandbox`;
}

/** A row for each key; a word stands where there is no limit. @param used since the beginning, by the keys' ids */
function printKeys(keys: readonly KeyView[], used: ReadonlyMap<string, Totals>): string {
  if (keys.length === 0) return 'There are no keys. Make one with "postern keys create --name NAME".';
  const rows = printTable(keys, {
    ID: "id",
    NAME: "name",
    KEY: "hint",
    STATE: "state",
    ">SPENT": (key) => spentLabel(key, used.get(key.id)),
    ">LIMIT": limitLabel,
    MODELS: ({ models }) => models?.join(",") ?? "all",
    EXPIRES: "expires_at",
    "LAST USED": "last_used_at",
  });
  return [rows, ...keyOutlook(keys)].join("\n");
}

/** @returns undefined when the limits are to decide. */
function readLeave(values: CommandValues, name: string): boolean | undefined {
  const choice = choiceOption(values, name, ["allow", "refuse"]);
  return choice === undefined ? undefined : choice === "allow";
}

export const keyCommands: readonly Command[] = [
  mirror("keys create", "createKey", "make a local key; it is shown once", {
    options: {
      name: { value: "NAME", about: "what the key is for" },
      limit_usd: { value: "USD", about: "refuse paid calls beyond this spend" },
      reset: { value: "PERIOD", about: "when the limit resets: never, daily or monthly (UTC)" },
      models: { value: "GLOB,…", about: "the only models that it may use, as ids or globs" },
      rpm: { value: "N", about: "requests per minute" },
      concurrency: { value: "N", about: "max concurrent requests" },
      hosted_tools: {
        value: "CHOICE",
        about: "web search and whatever else costs beside tokens: allow or refuse",
        read: readLeave,
      },
      stored_objects: {
        value: "CHOICE",
        about: "files and responses that providers keep: allow or refuse",
        read: readLeave,
      },
      expires_at: {
        name: "expires",
        value: "ISO",
        about: "when it ends, as 2026-12-31 or 2026-12-31T18:00:00Z",
        read: timeOption,
      },
    },
    print: ({ secret, key }) => `${secret}\nThis is the only time that the key is shown (id ${key.id}).`,
  }),
  mirror("keys list", "listKeys", "all keys with their limits and spend", {
    async print({ data }, { control }) {
      const usage = data.length === 0 ? null : await control.call("usage", { by: "key", since: "2000-01-01" });
      const used = new Map(usage?.data.map(({ group, totals }) => [group, totals]));
      return [printKeys(data, used), ...(await endingNotes(control, data))].join("\n");
    },
  }),
  mirror("keys revoke", "revokeKey", "refuse a key from now on; this cannot be undone"),
];
