import type { KeyView } from "../../../gateway/contract/key.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { keyOutlook } from "../../../gateway/core/money/outlook.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import type { Command, CommandValues } from "../command.ts";
import { endingNotes } from "../ending-notes.ts";
import { table, timeLabel } from "../table.ts";
import { choiceOption, given, integerOption, listOption, numberOption, timeOption } from "../values.ts";

function limitLabel(key: KeyView): string {
  if (key.limit_usd === null) return "none";
  return key.reset === "never" ? `$${key.limit_usd}` : `$${key.limit_usd} ${key.reset}`;
}

const headings = ["ID", "NAME", "KEY", "STATE", ">SPENT", ">LIMIT", "MODELS", "EXPIRES", "LAST USED"];

/** `$1.20`, `unpriced` of calls that have no price alone, and the sandbox's money apart from it. */
function spentLabel({ spent_nano: spent, sandbox_nano: sandbox }: KeyView, used: Totals | undefined): string {
  const real = spent - sandbox;
  const words = real === 0 && (used?.unpriced_requests ?? 0) > 0 ? "unpriced" : moneyLabel(real);
  return sandbox === 0 ? words : `${words} + ${moneyLabel(sandbox)} sandbox`;
}

/** A row for each key; a word stands where there is no limit. @param used since the beginning, by the keys' ids */
function keyTable(keys: readonly KeyView[], used: ReadonlyMap<string, Totals>): string {
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.hint,
    key.state,
    spentLabel(key, used.get(key.id)),
    limitLabel(key),
    key.models === null ? "all" : key.models.join(","),
    timeLabel(key.expires_at),
    timeLabel(key.last_used_at),
  ]);
  if (rows.length === 0) return 'There are no keys. Make one with "postern keys create --name NAME".';
  return [table(headings, rows), ...keyOutlook(keys)].join("\n");
}

/** @returns undefined when the limits are to decide. */
function leaveOption(values: CommandValues, name: string): boolean | undefined {
  const choice = choiceOption(values, name, ["allow", "refuse"]);
  return choice === undefined ? undefined : choice === "allow";
}

export const createKey: Command = {
  name: "keys create",
  about: "make a local key; it is shown once",
  options: {
    name: { value: "NAME", about: "what the key is for", required: true },
    "limit-usd": { value: "USD", about: "refuse paid calls beyond this spend" },
    reset: { value: "PERIOD", about: "when the limit resets: never, daily or monthly (UTC)" },
    models: { value: "GLOB,…", about: "the only models that it may use, as ids or globs" },
    rpm: { value: "N", about: "requests per minute" },
    concurrency: { value: "N", about: "max concurrent requests" },
    "hosted-tools": { value: "CHOICE", about: "web search and whatever else costs beside tokens: allow or refuse" },
    "stored-objects": { value: "CHOICE", about: "files and responses that providers keep: allow or refuse" },
    expires: { value: "ISO", about: "when it ends, as 2026-12-31 or 2026-12-31T18:00:00Z" },
  },
  async run({ control }, values) {
    const limits = given({
      limit_usd: numberOption(values, "limit-usd"),
      reset: choiceOption(values, "reset", ["never", "daily", "monthly"]),
      models: listOption(values, "models"),
      rpm: integerOption(values, "rpm"),
      concurrency: integerOption(values, "concurrency"),
      hosted_tools: leaveOption(values, "hosted-tools"),
      stored_objects: leaveOption(values, "stored-objects"),
      expires_at: timeOption(values, "expires"),
    });
    const created = await control.call("createKey", { name: values.text("name") ?? "", ...limits });
    const text = `${created.secret}\nThis is the only time that the key is shown (id ${created.key.id}).`;
    return { json: created, text };
  },
};

export const listKeys: Command = {
  name: "keys list",
  about: "all keys with their limits and spend",
  options: {},
  async run({ control }) {
    const { data } = await control.call("listKeys");
    const usage = data.length === 0 ? null : await control.call("usage", { by: "key", since: "2000-01-01" });
    const used = new Map(usage?.data.map(({ group, totals }) => [group, totals]));
    return { json: { data }, text: [keyTable(data, used), ...(await endingNotes(control, data))].join("\n") };
  },
};

export const revokeKey: Command = {
  name: "keys revoke",
  about: "refuse a key from now on; this cannot be undone",
  takesId: true,
  options: {},
  async run({ control }, values) {
    const response = await control.call("revokeKey", {}, values.id);
    return { json: response, text: `Key ${values.id} is revoked.` };
  },
};
