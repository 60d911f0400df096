import type { HistoryImport, HistoryView } from "../../../gateway/contract/history.ts";
import { getAppName } from "../../../gateway/contract/apps.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import type { Command } from "../command.ts";
import { printTable, sizeLabel, timeLabel } from "../table.ts";

const folder = {
  value: "PATH",
  about: "an agent's folder to look in instead, such as ~/.claude of another home; repeatable",
  repeatable: true,
} as const;
const day = (at: number | null): string => (at === null ? "–" : timeLabel(at).slice(0, 10));
const label = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
const countTokens = ({ input_tokens, output_tokens }: Totals): number => input_tokens + output_tokens;

/** Shows the results, one row per folder, and what is new. */
function importText(found: HistoryImport): string {
  const { sources, new_totals: added, through_postern: ours, lines, failed } = found;
  if (sources.length === 0) return "No logs of agents were found on this machine. --folder names another folder.";
  const rows = printTable(sources, {
    AGENT: ({ agent }) => getAppName(agent),
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
    `New: ${label(added.requests, "request")}, ${label(countTokens(added), "token")}, ${moneyLabel(added.nano)} at API prices.`,
  ];
  if (added.unpriced_requests > 0) notes.push(`Without a known price: ${label(added.unpriced_requests, "request")}.`);
  if (ours.requests > 0)
    notes.push(
      `${ours.requests} more went through Postern (${countTokens(ours)} tokens): they have receipts and are left out.`,
    );
  if (!found.receipts_complete) notes.push("Older receipts were not looked at for that, because they are too many.");
  if (lines.broken + lines.too_long > 0)
    notes.push(`Passed over: ${label(lines.broken, "broken line")}, ${lines.too_long} that are too long.`);
  for (const { file, message } of failed) notes.push(`${file}: ${message}.`);
  return [rows, ...notes].join("\n");
}

function viewText({ agents, bytes, damaged }: HistoryView): string {
  if (agents.length === 0) return "Nothing is imported.";
  const lines = agents.map(
    ({ agent, sessions, requests, from, to }) =>
      `Imported of ${getAppName(agent)}: ${label(requests, "request")} of ${label(sessions, "session")}, ${day(from)} to ${day(to)}.`,
  );
  if (damaged > 0) lines.push(`${damaged} lines of it are damaged: import again to take them from the logs.`);
  return [...lines, `It takes ${sizeLabel(bytes)}.`].join("\n");
}

export const importHistory: Command = {
  name: "history import",
  about:
    "import usage from logs of Claude Code, Codex and other agents; what was imported already is not counted again",
  options: { folder, yes: { value: null, about: "keep it; without this it is only shown" } },
  async run(context, values) {
    const { control } = context;
    const folders = values.list("folder").map((path) => context.resolve(path));
    const input = folders.length === 0 ? {} : { folders };
    const isSaved = values.has("yes");
    const done = await control.call(isSaved ? "importHistory" : "previewHistory", input);
    const view = await control.call("history");
    const note = isSaved ? "" : "\nNothing of it is imported yet. Add --yes to import it.";
    return { json: { ...done, imported: view }, text: `${importText(done)}\n\n${viewText(view)}${note}` };
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
