import type { ClientKind } from "../client-kind.ts";
import { getToolFile, createReader, value } from "../client-kind.ts";
import { inAppData, inConfig, inHome } from "../place.ts";
import type { Machine, Place } from "../place.ts";

/** `~/.config/goose`, or below XDG_CONFIG_HOME if that is set; on Windows `%APPDATA%\Block\goose\config`. */
const inGoose =
  (...parts: readonly string[]) =>
  (machine: Machine): Place | null => {
    if (machine.platform === "darwin") return inHome(machine, ".config", "goose", ...parts);
    if (machine.platform === "linux") return inConfig(machine, "goose", ...parts);
    return inAppData(machine, "APPDATA", "Block", "goose", "config", ...parts);
  };

/**
 * Goose: a custom provider in `custom_providers/postern.json`, with the key in a header, because Goose reads keys only
 * from its keychain and the environment (crates/goose/src/config/declarative_providers.rs of aaif-goose/goose); the
 * selection in `config.yaml`, tools under `extensions` there (documentation/docs/guides/config-files.md), all read
 * 2026-11-29.
 */
export const goose: ClientKind = {
  id: "goose",
  name: "Goose",
  wire: "chat",
  slots: ["main"],
  hasPicker: true,
  files: [
    {
      part: "models",
      format: "json",
      plainJson: true,
      place: inGoose("custom_providers", "postern.json"),
      settings: ({ origin, key, offered }) => [
        value(["name"], "postern"),
        value(["engine"], "openai"),
        value(["display_name"], "Postern"),
        value(["description"], "Models of this machine's Postern"),
        value(["api_key_env"], ""),
        value(["base_url"], `${origin}/v1/chat/completions`),
        value(["headers"], { Authorization: `Bearer ${key}` }),
        value(["requires_auth"], false),
        value(["supports_streaming"], true),
        value(
          ["models"],
          offered.map(({ id, context }) => ({ name: id, context_limit: context })),
        ),
      ],
      connected: createReader({ url: ["base_url"], key: ["headers", "Authorization"], model: ["models", 0, "name"] }),
    },
    {
      part: "models",
      format: "yaml",
      place: inGoose("config.yaml"),
      settings: ({ models }) => [
        value(["active_provider"], "postern"),
        value(["providers", "postern"], { enabled: true, model: models.main ?? "", configured: true }),
      ],
    },
    getToolFile("yaml", inGoose("config.yaml"), ["extensions", "postern"], {
      url: "uri",
      more: {
        type: "streamable_http",
        name: "postern",
        description: "Images, speech, videos and quota",
        enabled: true,
        env_keys: [],
        envs: {},
        timeout: 600,
      },
    }),
  ],
};
