import type { ClientView } from "../../../gateway/contract/clients.ts";

/** Example commands for terminal tools; Codex refuses to run outside a Git folder by default. */
const COMMANDS: Partial<Record<ClientView["id"], string>> = {
  "claude-code": `claude -p "Say hello"`,
  codex: `codex exec --skip-git-repo-check "Say hello"`,
  opencode: `opencode run "Say hello"`,
  "qwen-code": `qwen -p "Say hello"`,
  openclaw: `openclaw agent --local --agent main --message "Say hello"`,
  hermes: `hermes -z "Say hello"`,
  cline: `cline "Say hello"`,
  "kilo-code": `kilo run "Say hello"`,
  pi: `pi -p "Say hello"`,
  "factory-droid": `droid exec "Say hello"`,
  "grok-build": `grok -p "Say hello"`,
  goose: `goose run -t "Say hello"`,
  junie: `junie --model custom:postern "Say hello"`,
};

/** Returns the command that starts a client; null for clients with a window of their own. */
export const firstWords = ({ id }: Pick<ClientView, "id">): string | null => COMMANDS[id] ?? null;
