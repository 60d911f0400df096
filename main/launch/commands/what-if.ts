import type { TokenizerRelation, WhatIf, WhatIfNote } from "../../../gateway/contract/history.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../command-errors.ts";
import { printTable } from "../table.ts";
import { given } from "../values.ts";
import { readSource, source, until } from "./usage.ts";

const NOTES: Readonly<Record<WhatIfNote, string>> = {
  cached_at_full: "cached input at the price of new input: its own is not known",
  writes_as_input: "cache writes as input: it sells none",
};

function tokenizerLine({ from, to, relation, low, high, source }: TokenizerRelation): string {
  if (relation === "same") return `${from} and ${to} count tokens alike.`;
  if (relation === "ratio")
    return `The same text has ${low} to ${high} times as many tokens at ${to} as at ${from} (${source}); the sums are of as many.`;
  return `The same text may have more or fewer tokens at ${to} than at ${from}; the sums are of as many.`;
}

/** Formats the actual and the hypothetical cost, with the caveats. */
function whatIfText(answer: WhatIf): string {
  const { nano, what_if_nano } = answer;
  const sums = { source: "all", model: "", to: "", requests: "", tokens: "", nano, what_if_nano, remarks: "" };
  const rows = answer.rows.map((row) => ({
    ...row,
    to: row.to === row.model ? "(the same)" : row.to,
    tokens: row.input_tokens + row.output_tokens,
    remarks: [
      ...row.notes.map((note) => NOTES[note]),
      ...(row.unpriced_requests > 0 ? [`${row.unpriced_requests} requests without a price`] : []),
      ...(row.too_long > 0 ? [`${row.too_long} prompts longer than it takes`] : []),
    ].join("; "),
  }));
  const text = printTable<typeof sums | (typeof rows)[number]>([...rows, sums], {
    SOURCE: "source",
    MODEL: "model",
    ON: "to",
    ">REQUESTS": "requests",
    ">TOKENS": "tokens",
    ">COST": "nano",
    ">WHAT IF": "what_if_nano",
    NOTES: "remarks",
  });
  const lines = [`${answer.since} to ${answer.until}.`, text];
  if (!answer.complete) lines.push("Older receipts were not looked at, because they are too many.");
  return [...lines, ...answer.tokenizers.map(tokenizerLine)].join("\n");
}

/** `FROM=TO`. */
function readPair(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1) throw new UsageError(`--map takes FROM=TO, not "${text}".`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

export const whatIf: Command = {
  name: "what-if",
  about: "what conversations would have cost on other models",
  options: {
    to: { value: "MODEL", about: "for every model that --map does not name" },
    map: { value: "FROM=TO", about: "a model, and the one in its place; repeatable", repeatable: true },
    source,
    since: { value: "DAY", about: "first day; without it the last 30 days" },
    until,
    zone: { value: "ZONE", about: "whose days, such as Europe/Berlin; without it this machine's" },
  },
  async run({ control }, values) {
    const models = Object.fromEntries(values.list("map").map(readPair));
    const to = values.text("to");
    const zone = values.text("zone") ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const days = given({ since: values.text("since"), until: values.text("until"), source: readSource(values), to });
    const answer = await control.call("whatIf", { models, zone, ...days });
    return { json: answer, text: whatIfText(answer) };
  },
};
