import type { ClientKind } from "../client-kind.ts";
import { getText, getToolFile, value } from "../client-kind.ts";
import { getValue } from "../data.ts";
import type { Data } from "../data.ts";
import { inFolder } from "../place.ts";
import type { Machine, Place } from "../place.ts";

/** Codex gives up on a tool after 60 s, which is less than many pictures take; seconds. */
const TOOL_SECONDS = 600;

/** Names whose context size Codex knows; for others it assumes one, and compacts too late. */
const KNOWN = /^(gpt|o[1-9]|codex)/;

const getPlace = (machine: Machine): Place | null => inFolder(machine, "CODEX_HOME", "config.toml", [".codex"]);

const findProfile = (data: Data): Data =>
  getValue(data, ["profiles", getText(getValue(data, ["profile"])) ?? ""]) ?? null;

/**
 * Codex: `config.toml` in CODEX_HOME, else `~/.codex` (developers.openai.com/codex/config-reference). A custom provider
 * under `model_providers`, which takes its key from an environment variable or, as here, from
 * `experimental_bearer_token`; `wire_api` is `responses` only.
 */
export const codex: ClientKind = {
  id: "codex",
  name: "Codex",
  wire: "responses",
  slots: ["main"],
  files: [
    {
      part: "models",
      format: "toml",
      place: getPlace,
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
        const provider = getValue(data, ["model_providers", getText(getValue(data, ["model_provider"])) ?? ""]);
        const url = getText(getValue(provider, ["base_url"])) ?? getText(getValue(data, ["openai_base_url"]));
        if (url === null) return null;
        const key = getText(getValue(provider, ["experimental_bearer_token"]));
        return {
          url,
          key,
          model: getText(getValue(findProfile(data), ["model"])) ?? getText(getValue(data, ["model"])),
        };
      },
      // Profiles are separate files since Codex 0.134 (developers.openai.com/codex/config-advanced, read 2026-11-29).
      layers: {
        suffix: ".config.toml",
        detour: (name, data) => {
          const provider = getText(getValue(data, ["model_provider"]));
          return provider === null || provider === "postern" ? null : `codex --profile ${name} (it asks "${provider}")`;
        },
      },
      // A profile in the file overrides its top level (developers.openai.com/codex/config-reference, read 2026-11-29).
      detour: (data) => {
        const provider = getText(getValue(findProfile(data), ["model_provider"]));
        return provider === null || provider === "postern" ? null : `model_provider = "${provider}" of its profile`;
      },
    },
    getToolFile("toml", getPlace, ["mcp_servers", "postern"], {
      headers: "http_headers",
      more: { tool_timeout_sec: TOOL_SECONDS },
    }),
  ],
};
