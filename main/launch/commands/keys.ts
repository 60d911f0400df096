import type { KeyView } from "../../../gateway/contract/key.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { keyOutlook } from "../../../gateway/core/money/outlook.ts";
import { moneyLabel, usdLabel } from "../../policy/money-label.ts";
import type { Command, CommandValues } from "../command.ts";
import { endingNotes } from "../ending-notes.ts";
import { mirror } from "../mirror.ts";
import { printTable } from "../table.ts";
import { choiceOption, integerOption, listOption, numberOption, timeOption } from "../values.ts";

function limitLabel({ limit_usd: limit, reset }: KeyView): string {
  if (limit === null) return "none";
  return reset === "never" ? usdLabel(limit) : `${usdLabel(limit)} ${reset}`;
}

/** Formats `$1.20`, `unpriced` if all calls lack a price, and sandbox money separately. */
function spentLabel({ spent_nano: spent, sandbox_nano: sandbox }: KeyView, used: Totals | undefined): string {
  const real = spent - sandbox;
  const words = real === 0 && (used?.unpriced_requests ?? 0) > 0 ? "unpriced" : moneyLabel(real);
  return sandbox === 0 ? words : `${words} + ${moneyLabel(sandbox)} sandbox`;
}

/** Prints a row per key; a word is shown instead of a missing limit. @param used usage since the start, by key id */
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

function readSwitch(values: CommandValues, name: string): boolean | undefined {
  const choice = choiceOption(values, name, ["on", "off"]);
  return choice === undefined ? undefined : choice === "on";
}

type Read = (values: CommandValues, name: string) => unknown;

/** Options of a key's limits. @param orNone makes a reader that may take a limit away */
const limitOptions = (orNone: (read: Read) => Read) => ({
  name: { value: "NAME", about: "what the key is for" },
  limit_usd: { value: "USD", about: "refuse paid calls beyond this spend", read: orNone(numberOption) },
  reset: { value: "PERIOD", about: "when the limit resets: never, daily or monthly (UTC)" },
  models: { value: "GLOB,…", about: "the only models that it may use, as ids or globs", read: orNone(listOption) },
  rpm: { value: "N", about: "requests per minute", read: orNone(integerOption) },
  concurrency: { value: "N", about: "max concurrent requests", read: orNone(integerOption) },
  hosted_tools: {
    value: "CHOICE",
    about: "web search and whatever else costs in addition to tokens: allow or refuse",
    read: orNone(readLeave),
  },
  stored_objects: {
    value: "CHOICE",
    about: "files and responses that providers keep: allow or refuse",
    read: orNone(readLeave),
  },
  mask_secrets: {
    value: "on|off",
    about: "on replaces keys and passwords in requests with masks, and restores them in responses",
    read: readSwitch,
  },
  mask_words: {
    value: "WORD,…",
    about: "own words to mask, of 4 to 200 characters",
    read: orNone((values, name) => listOption(values, name)?.join("\n")),
  },
  ollama_default: {
    value: "on|off",
    about: "use it for Ollama requests without a key from this machine; needs a spend limit",
    read: readSwitch,
  },
  expires_at: {
    name: "expires",
    value: "ISO",
    about: "when it ends, as 2026-12-31 or 2026-12-31T18:00:00Z",
    read: orNone(timeOption),
  },
});

/** Builds a reader that also accepts "none". */
const readOrNone =
  (read: Read): Read =>
  (values, name) =>
    values.text(name) === "none" ? null : read(values, name);

export const keyCommands: readonly Command[] = [
  mirror("keys create", "createKey", "make a local key; it is shown once", {
    options: limitOptions((read) => read),
    print: ({ secret, key }) => `${secret}\nThis is the only time that the key is shown (id ${key.id}).`,
  }),
  mirror("keys list", "listKeys", "all keys with their limits and spend", {
    async print({ data }, { control }) {
      const usage = data.length === 0 ? null : await control.call("usage", { by: "key", since: "2000-01-01" });
      const used = new Map(usage?.data.map(({ group, totals }) => [group, totals]));
      return [printKeys(data, used), ...(await endingNotes(control, data))].join("\n");
    },
  }),
  mirror("keys change", "updateKey", 'change a key; "none" takes a limit away, and what is left out stays', {
    options: {
      ...limitOptions(readOrNone),
      disabled: {
        name: "enabled",
        value: "on|off",
        about: "off refuses the key until it is on again",
        read: (values, name) => {
          const isOn = readSwitch(values, name);
          return isOn === undefined ? undefined : !isOn;
        },
      },
    },
    print: (key) => printKeys([key], new Map()),
  }),
  mirror("keys revoke", "revokeKey", "refuse a key from now on; this cannot be undone"),
];
