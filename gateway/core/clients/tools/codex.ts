import type { ClientKind } from "../client-kind.ts";
import { bearerOf, text, value } from "../client-kind.ts";
import { valueAt } from "../data.ts";
import type { Data } from "../data.ts";
import { inFolder } from "../place.ts";
import type { Machine, Place } from "../place.ts";

/** Codex gives up on a tool after 60 s, which is less than many pictures take; seconds. */
const TOOL_SECONDS = 600;

/** Names that Codex knows the context of; of others it assumes one, and compacts too late. */
const KNOWN = /^(gpt|o[1-9]|codex)/;

const place = (machine: Machine): Place | null => inFolder(machine, "CODEX_HOME", "config.toml", [".codex"]);

const findProfile = (data: Data): Data => valueAt(data, ["profiles", text(valueAt(data, ["profile"])) ?? ""]) ?? null;

/**
 * Codex: `config.toml` in CODEX_HOME, else `~/.codex` (developers.openai.com/codex/config-reference). A provider of
 * one's own under `model_providers`, which takes its key from an environment variable or, as here, from
 * `experimental_bearer_token`; `wire_api` is `responses` only.
 */
export const codex: ClientKind = {
  id: "codex",
  name: "Codex",
  wire: "responses",
  slots: ["main"],
  keyElsewhere: false,
  files: {
    models: {
      format: "toml",
      place,
      settings: ({ origin, key, models, contextOf }) => [
        ...(models.main === undefined ? [] : [value(["model"], models.main)]),
        ...(models.main === undefined || KNOWN.test(models.main)
          ? []
          : [value(["model_context_window"], contextOf(models.main))]),
        value(["model_provider"], "postern"),
        value(["model_providers", "postern"], {
          name: "Postern",
          base_url: `${origin}/v1`,
          wire_api: "responses",
          experimental_bearer_token: key,
        }),
      ],
      connected: (data) => {
        const provider = valueAt(data, ["model_providers", text(valueAt(data, ["model_provider"])) ?? ""]);
        const url = text(valueAt(provider, ["base_url"])) ?? text(valueAt(data, ["openai_base_url"]));
        if (url === null) return null;
        const key = text(valueAt(provider, ["experimental_bearer_token"]));
        return { url, key, model: text(valueAt(findProfile(data), ["model"])) ?? text(valueAt(data, ["model"])) };
      },
      // A profile goes before the top of the file (developers.openai.com/codex/config-reference, read 2026-11-29).
      detour: (data) => {
        const provider = text(valueAt(findProfile(data), ["model_provider"]));
        return provider === null || provider === "postern" ? null : `model_provider = "${provider}" of its profile`;
      },
    },
    mcp: {
      format: "toml",
      place,
      settings: ({ origin, key }) => [
        value(["mcp_servers", "postern"], {
          url: `${origin}/mcp`,
          http_headers: { Authorization: `Bearer ${key}` },
          tool_timeout_sec: TOOL_SECONDS,
        }),
      ],
      connected: (data) => {
        const server = valueAt(data, ["mcp_servers", "postern"]);
        const url = text(valueAt(server, ["url"]));
        if (url === null) return null;
        return { url, key: bearerOf(valueAt(server, ["http_headers", "Authorization"])), model: null };
      },
    },
  },
};
