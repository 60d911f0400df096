import type { ClientModels } from "../../../contract/clients.ts";
import type { ClientKind, Connected, Order } from "../client-kind.ts";
import { getText, getToolFile, value } from "../client-kind.ts";
import { getValue } from "../data.ts";
import type { Data } from "../data.ts";
import type { Setting } from "../file-format.ts";
import { inFolder } from "../place.ts";
import type { Machine, Place } from "../place.ts";

const TIERS = {
  opus: "ANTHROPIC_DEFAULT_OPUS_MODEL",
  sonnet: "ANTHROPIC_DEFAULT_SONNET_MODEL",
  haiku: "ANTHROPIC_DEFAULT_HAIKU_MODEL",
} as const;

/**
 * Flags that make Claude Code use a cloud provider regardless of ANTHROPIC_BASE_URL (code.claude.com/docs/en/env-vars,
 * read 2026-11-29).
 */
const CLOUDS = [
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
  "CLAUDE_CODE_USE_MANTLE",
  "CLAUDE_CODE_USE_ANTHROPIC_AWS",
] as const;

const isOn = (flag: Data): boolean => flag != null && !/^"?\s*(|0|false|no|off)\s*"?$/i.test(JSON.stringify(flag));

/**
 * Model names whose context size Claude Code knows, as providers spell them: `claude-opus-5-5`,
 * `anthropic/claude-opus-5.5`.
 */
const CLAUDE = /claude/i;

/**
 * Claude Code. Models: `env` of `~/.claude/settings.json`, which applies in every session
 * (code.claude.com/docs/en/settings; variables: code.claude.com/docs/en/llm-gateway,
 * code.claude.com/docs/en/model-config); they override the shell's. Tools: `mcpServers` of `~/.claude.json`, the user
 * scope (code.claude.com/docs/en/mcp), a file that Claude Code also writes, under the lock `~/.claude.json.lock`. Both
 * are in CLAUDE_CONFIG_DIR if that is set. Its picker fetches the gateway's models if
 * CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY is set (code.claude.com/docs/en/llm-gateway-protocol, and 2.1.332 itself,
 * read 2026-11-29).
 */
export const claudeCode: ClientKind = {
  id: "claude-code",
  name: "Claude Code",
  wire: "messages",
  slots: ["opus", "sonnet", "haiku"],
  files: [
    {
      part: "models",
      format: "json",
      place: (machine) => inFolder(machine, "CLAUDE_CONFIG_DIR", "settings.json", [".claude"]),
      settings: ({ origin, key, models, contextOf }) => [
        value(["env", "ANTHROPIC_BASE_URL"], origin),
        value(["env", "ANTHROPIC_AUTH_TOKEN"], key),
        // Else a provider's key of the shell would go along, and two keys in one call are refused.
        value(["env", "ANTHROPIC_API_KEY"], ""),
        value(["env", "CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY"], "1"),
        ...(["opus", "sonnet", "haiku"] as const).flatMap((tier) =>
          models[tier] === undefined ? [] : [value(["env", TIERS[tier]], models[tier])],
        ),
        ...foreign(models, contextOf),
      ],
      connected: readModels,
      plainJson: true,
      // Claude Code sends this key along with the one in the file, as x-api-key.
      rival: (data) => (getValue(data, ["apiKeyHelper"]) === undefined ? null : "apiKeyHelper"),
      detour: (data) => CLOUDS.find((name) => isOn(getValue(data, ["env", name]))) ?? null,
    },
    {
      ...getToolFile("json", getStatePlace, ["mcpServers", "postern"], { more: { type: "http" } }),
      plainJson: true,
    },
  ],
};

/**
 * Returns the settings that models of other owners need. Claude Code assumes a context of 1,000,000 tokens for an
 * unknown name, and would never compact a conversation before the model refuses it (tried with 2.1.329); the suffix
 * `[1m]`, which it appends to its first model, hides the configured size. The fourth class cannot be chosen separately.
 */
function foreign(models: ClientModels, contextOf: Order["contextOf"]): readonly Setting[] {
  const strange = [models.opus, models.sonnet, models.haiku].filter(
    (model) => model !== undefined && !CLAUDE.test(model),
  ) as readonly string[];
  if (strange.length === 0) return [];
  const least = Math.min(...strange.map(contextOf));
  const size = value(["env", "CLAUDE_CODE_MAX_CONTEXT_TOKENS"], String(least));
  if (models.opus === undefined || CLAUDE.test(models.opus)) return [size];
  return [
    value(["env", "ANTHROPIC_DEFAULT_FABLE_MODEL"], models.opus),
    value(["env", "CLAUDE_CODE_DISABLE_1M_CONTEXT"], "1"),
    size,
  ];
}

function getStatePlace(machine: Machine): Place | null {
  const place = inFolder(machine, "CLAUDE_CONFIG_DIR", ".claude.json", []);
  return place === null ? null : { ...place, lock: `${place.path}.lock` };
}

function readModels(data: Data): Connected | null {
  const env = getValue(data, ["env"]);
  const url = getText(getValue(env, ["ANTHROPIC_BASE_URL"]));
  if (url === null) return null;
  return {
    url,
    key: getText(getValue(env, ["ANTHROPIC_AUTH_TOKEN"])) ?? getText(getValue(env, ["ANTHROPIC_API_KEY"])),
    model: findFirstModel(data),
  };
}

/**
 * Returns the model that Claude Code uses first: ANTHROPIC_MODEL, else `model` (code.claude.com/docs/en/model-config,
 * read 2026-11-29), which may be a class of models; without either it requests its own name for Opus.
 */
function findFirstModel(data: Data): string | null {
  const env = getValue(data, ["env"]);
  const pinned = (getText(getValue(env, ["ANTHROPIC_MODEL"])) ?? getText(getValue(data, ["model"])) ?? "").replace(
    /\[\w+\]$/,
    "",
  );
  const tier = pinned === "sonnet" || pinned === "haiku" ? pinned : "opus";
  const isClass = ["", "default", "best", "opusplan", "opus", "sonnet", "haiku"].includes(pinned);
  return isClass ? getText(getValue(env, [TIERS[tier]])) : pinned;
}
