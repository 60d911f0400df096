import {
  historyAgentSchema,
  historyGroupSchema,
  type HistoryAgent,
  type HistoryImport,
  type HistoryTotals,
  type HistoryUsage,
  type HistoryView,
  type TokenizerRelation,
  type WhatIf,
  type WhatIfNote,
} from "../../../gateway/contract/history.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import type { Command, CommandContext, CommandValues } from "../command.ts";
import { UsageError } from "../command-errors.ts";
import { printTable, sizeLabel, timeLabel } from "../table.ts";
import { choiceOption, given, integerOption } from "../values.ts";

const AGENTS: Readonly<Record<HistoryAgent, string>> = { "claude-code": "Claude Code", codex: "Codex" };

const folder = {
  value: "PATH",
  about: "an agent's folder to look in instead, such as ~/.claude of another home; repeatable",
  repeatable: true,
} as const;
const since = { value: "DAY", about: "first day; without it the first that is known" } as const;
const until = { value: "DAY", about: "last day; without it today" } as const;
const zone = { value: "ZONE", about: "whose days, such as Europe/Berlin; without it this machine's" } as const;

const day = (at: number | null): string => (at === null ? "–" : timeLabel(at).slice(0, 10));
const countTokens = ({ input_tokens, output_tokens }: HistoryTotals): number => input_tokens + output_tokens;

/** Shows what was found, a row for each folder, and what of it is new. */
function importText(found: HistoryImport): string {
  const { sources, new_totals: added, through_postern: ours, lines, failed } = found;
  if (sources.length === 0)
    return "No logs of Claude Code or Codex were found on this machine. --folder names another folder.";
  const rows = printTable(sources, {
    AGENT: ({ agent }) => AGENTS[agent],
    FOLDER: "folder",
    ">LOGS": "logs",
    ">NEW": "new_logs",
    ">SIZE": "bytes",
    ">SESSIONS": "sessions",
    DAYS: ({ from, to }) => (from === null ? null : `${day(from)} to ${day(to)}`),
    ">REQUESTS": "requests",
    ">TOKENS": "tokens",
  });
  const notes = [
    `New: ${added.requests} requests (${added.subagent_requests} of sub-agents), ${countTokens(added)} tokens, ` +
      `${moneyLabel(added.nano)} at API prices.`,
  ];
  if (added.unpriced_requests > 0)
    notes.push(`${added.unpriced_requests} requests are of models without a known price.`);
  if (ours.requests > 0)
    notes.push(
      `${ours.requests} more went through Postern (${countTokens(ours)} tokens): they have receipts and are left out.`,
    );
  if (!found.receipts_complete) notes.push("Older receipts were not looked at for that, because they are too many.");
  if (lines.broken + lines.too_long > 0)
    notes.push(`${lines.broken} lines were broken and ${lines.too_long} too long; they are passed over.`);
  for (const { file, message } of failed) notes.push(`${file}: ${message}.`);
  return [rows, ...notes].join("\n");
}

function viewText({ agents, bytes, damaged }: HistoryView): string {
  if (agents.length === 0) return "Nothing is imported.";
  const lines = agents.map(
    ({ agent, sessions, requests, from, to }) =>
      `Imported of ${AGENTS[agent]}: ${requests} requests of ${sessions} sessions, ${day(from)} to ${day(to)}.`,
  );
  if (damaged > 0) lines.push(`${damaged} lines of it are damaged: import again to take them from the logs.`);
  return [...lines, `It takes ${sizeLabel(bytes)}.`].join("\n");
}

function listFolders(context: CommandContext, values: CommandValues): { folders?: string[] } {
  const folders = values.list("folder").map((path) => context.resolve(path));
  return folders.length === 0 ? {} : { folders };
}

export const findHistory: Command = {
  name: "history find",
  about: "the logs of Claude Code and Codex on this machine, and what importing them would bring",
  options: { folder },
  async run(context, values) {
    const { control } = context;
    const folders = listFolders(context, values);
    const [view, found] = [await control.call("history"), await control.call("previewHistory", folders)];
    return { json: { ...found, imported: view }, text: `${importText(found)}\n\n${viewText(view)}` };
  },
};

export const importHistory: Command = {
  name: "history import",
  about: "import what they have used, shown before; what was imported already is not counted again",
  options: { folder, yes: { value: null, about: "keep it; without this it is only shown" } },
  async run(context, values) {
    const { control } = context;
    const input = listFolders(context, values);
    if (!values.has("yes")) {
      const found = await control.call("previewHistory", input);
      return { json: found, text: `${importText(found)}\n\nNothing is imported yet. Add --yes to import it.` };
    }
    const done = await control.call("importHistory", input);
    const view = await control.call("history");
    return { json: { ...done, imported: view }, text: `${importText(done)}\n\n${viewText(view)}` };
  },
};

export const removeHistory: Command = {
  name: "history remove",
  about: "forget everything that was imported; the agents' own logs stay",
  options: { yes: { value: null, about: "remove it; without this it is only shown" } },
  async run({ control }, values) {
    const view = await control.call("history");
    if (!values.has("yes"))
      return { json: view, text: `${viewText(view)}\nNothing is removed yet. Add --yes to remove it.` };
    const after = await control.call("removeHistory");
    return { json: after, text: "What was imported is removed. The agents' own logs are as they were." };
  },
};

type HistoryRow = Pick<HistoryUsage["data"][number], "group" | "project"> & { readonly to: number | null };

/** Sums of groups, as `ccusage` puts them: new input, cache writes, cached input and output are disjoint. */
function historyTable(usage: HistoryUsage, by: string): string {
  const { since, until, data, total, through_postern: ours, more_groups } = usage;
  const groups = data.map(({ totals, ...row }) => ({ ...totals, ...row, group: row.group || "(unknown)" }));
  const rows = printTable([...groups, { ...total, group: "all", to: null, project: "" }], {
    [by.toUpperCase()]: "group",
    ">REQUESTS": "requests",
    ">INPUT": (row) => row.input_tokens - row.cached_input_tokens - row.cache_write_tokens,
    ">CACHE WRITES": "cache_write_tokens",
    ">CACHED": "cached_input_tokens",
    ">OUTPUT": "output_tokens",
    ">TOKENS": countTokens,
    ">COST": "nano",
    ">UNPRICED": "unpriced_requests",
    ...(by === "session" && {
      LAST: ({ group, to }: HistoryRow) => (group === "all" ? "" : day(to)),
      PROJECT: ({ project }: HistoryRow) => project ?? "",
    }),
  });
  const lines = [
    `${since} to ${until}. COST is at API prices, however it was paid. OUTPUT has the reasoning in it.`,
    rows,
  ];
  if (more_groups > 0) lines.push(`${more_groups} more are not listed. --limit shows more.`);
  if (ours.requests > 0)
    lines.push(
      `${ours.requests} requests (${moneyLabel(ours.nano)}) of this time went through Postern and have receipts.`,
    );
  return lines.join("\n");
}

const readZone = (values: CommandValues): string =>
  values.text("zone") ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

const getPeriod = (values: CommandValues) =>
  given({ since: values.text("since"), until: values.text("until"), zone: readZone(values) });

export const showHistory: Command = {
  name: "history show",
  about: "what was imported, and what it costs at API prices",
  options: {
    by: { value: "GROUP", about: "model, day, project, session or agent" },
    since,
    until,
    zone,
    agent: { value: "AGENT", about: "claude-code or codex alone" },
    all: { value: null, about: "with what went through Postern, as other programs count it" },
    limit: { value: "N", about: "how many groups; 500 without it" },
  },
  async run({ control }, values) {
    const by = choiceOption(values, "by", historyGroupSchema.options) ?? "model";
    const agent = choiceOption(values, "agent", historyAgentSchema.options);
    const all = values.has("all") ? ("true" as const) : undefined;
    const limit = integerOption(values, "limit");
    const usage = await control.call("historyUsage", { by, ...getPeriod(values), ...given({ agent, all, limit }) });
    return { json: usage, text: historyTable(usage, by) };
  },
};

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

/** Shows what was used next to what it would have cost, and what that leaves open. */
function whatIfText(answer: WhatIf): string {
  const { nano, what_if_nano } = answer;
  const sums = { of: "all", model: "", to: "", requests: "", tokens: "", nano, what_if_nano, remarks: "" };
  const rows = answer.rows.map((row) => ({
    ...row,
    of: row.of === "imported" ? "imported" : "Postern",
    to: row.to === row.model ? "(the same)" : row.to,
    tokens: row.input_tokens + row.output_tokens,
    remarks: [
      ...row.notes.map((note) => NOTES[note]),
      ...(row.unpriced_requests > 0 ? [`${row.unpriced_requests} requests without a price`] : []),
      ...(row.too_long > 0 ? [`${row.too_long} prompts longer than it takes`] : []),
    ].join("; "),
  }));
  const text = printTable<typeof sums | (typeof rows)[number]>([...rows, sums], {
    OF: "of",
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
  name: "history what-if",
  about: "what a time would have cost on other models: imported usage and Postern's own receipts",
  options: {
    to: { value: "MODEL", about: "for every model that --map does not name" },
    map: { value: "FROM=TO", about: "a model, and the one in its place; repeatable", repeatable: true },
    of: { value: "WHAT", about: "imported or receipts alone; without it both" },
    since,
    until,
    zone,
  },
  async run({ control }, values) {
    const models = Object.fromEntries(values.list("map").map(readPair));
    const of = choiceOption(values, "of", ["imported", "receipts", "both"]);
    const to = values.text("to");
    const answer = await control.call("whatIf", { models, ...getPeriod(values), ...given({ of, to }) });
    return { json: answer, text: whatIfText(answer) };
  },
};
