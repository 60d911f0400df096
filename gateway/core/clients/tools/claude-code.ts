import type { ClientKind, Connected } from "../client-kind.ts";
import { bearerOf, text, value } from "../client-kind.ts";
import { valueAt } from "../data.ts";
import type { Data } from "../data.ts";
import { inFolder } from "../place.ts";
import type { Machine, Place } from "../place.ts";

const TIERS = {
  opus: "ANTHROPIC_DEFAULT_OPUS_MODEL",
  sonnet: "ANTHROPIC_DEFAULT_SONNET_MODEL",
  haiku: "ANTHROPIC_DEFAULT_HAIKU_MODEL",
} as const;

/**
 * Claude Code. Models: `env` of `~/.claude/settings.json`, which holds in every session (code.claude.com/docs/en/settings;
 * variables: code.claude.com/docs/en/llm-gateway). Tools: `mcpServers` of `~/.claude.json`, the user scope
 * (code.claude.com/docs/en/mcp), a file that Claude Code writes itself, holding `~/.claude.json.lock` meanwhile. Both
 * lie in CLAUDE_CONFIG_DIR where that is set.
 */
export const claudeCode: ClientKind = {
  id: "claude-code",
  name: "Claude Code",
  wire: "messages",
  slots: ["opus", "sonnet", "haiku"],
  keyElsewhere: false,
  files: {
    models: {
      format: "json",
      place: (machine) => inFolder(machine, "CLAUDE_CONFIG_DIR", "settings.json", [".claude"]),
      settings: ({ origin, key, models }) => [
        value(["env", "ANTHROPIC_BASE_URL"], origin),
        value(["env", "ANTHROPIC_AUTH_TOKEN"], key),
        ...(["opus", "sonnet", "haiku"] as const).flatMap((tier) =>
          models[tier] === undefined ? [] : [value(["env", TIERS[tier]], models[tier])],
        ),
      ],
      connected: modelsOf,
      plainJson: true,
      rival: (data) =>
        valueAt(data, ["env", "ANTHROPIC_API_KEY"]) !== undefined || valueAt(data, ["apiKeyHelper"]) !== undefined,
    },
    mcp: {
      format: "json",
      place: statePlace,
      settings: ({ origin, key }) => [
        value(["mcpServers", "postern"], {
          type: "http",
          url: `${origin}/mcp`,
          headers: { Authorization: `Bearer ${key}` },
        }),
      ],
      connected: (data) => toolsOf(valueAt(data, ["mcpServers", "postern"])),
      plainJson: true,
    },
  },
};

function statePlace(machine: Machine): Place | null {
  const place = inFolder(machine, "CLAUDE_CONFIG_DIR", ".claude.json", []);
  return place === null ? null : { ...place, lock: `${place.path}.lock` };
}

function modelsOf(data: Data): Connected | null {
  const env = valueAt(data, ["env"]);
  const url = text(valueAt(env, ["ANTHROPIC_BASE_URL"]));
  if (url === null) return null;
  const model = (["sonnet", "opus", "haiku"] as const).map((tier) => text(valueAt(env, [TIERS[tier]])));
  return {
    url,
    key: text(valueAt(env, ["ANTHROPIC_AUTH_TOKEN"])) ?? text(valueAt(env, ["ANTHROPIC_API_KEY"])),
    model: model.find((one) => one !== null) ?? null,
  };
}

/** An entry with `url` and `headers`, as most clients write it. */
export function toolsOf(server: Data, field = "url"): Connected | null {
  const url = text(valueAt(server, [field]));
  return url === null ? null : { url, key: bearerOf(valueAt(server, ["headers", "Authorization"])), model: null };
}
