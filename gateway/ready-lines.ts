import { ownCommand } from "./store/folder/own-command.ts";

export interface ReadyFacts {
  readonly url: string;
  /** The pages' address with a one-time token. */
  readonly ui: string;
  readonly dataDir: string;
  readonly pid: number;
  /** The first local key, on the very first start only. */
  readonly firstKey: string | null;
}

/** Next steps for users without the pages; printed once. */
function listFirstSteps(dataDir: string): readonly string[] {
  const [provider, app] = ["connections add --preset openai --key-stdin", "clients connect claude-code"].map((words) =>
    ownCommand(words, dataDir),
  ) as [string, string];
  return [
    "",
    "Open the pages: they lead to a first response in three steps. Or from another terminal:",
    `  ${provider}   a provider; without one the sandbox responds`,
    `  ${app.padEnd(provider.length)}   an app: shows what it would write`,
  ];
}

/**
 * Formats the ready lines on standard output: the same for the desktop app and headless, so that scripts work with
 * both.
 */
export function readyLines(facts: ReadyFacts, json: boolean): string {
  const { url, ui, dataDir, pid, firstKey } = facts;
  if (json) {
    const key = firstKey === null ? {} : { apiKey: firstKey };
    return `${JSON.stringify({ event: "ready", url, ui, mcp: `${url}/mcp`, dataDir, pid, ...key })}\n`;
  }
  const lines = [`Postern is ready at ${url}`, `Pages: ${ui}`];
  if (firstKey !== null) lines.push(`Your first local key (shown only now): ${firstKey}`, ...listFirstSteps(dataDir));
  return `${lines.join("\n")}\n`;
}
