import type { ClientKind } from "../client-kind.ts";
import { getText, value } from "../client-kind.ts";
import { getValue } from "../data.ts";
import { folderFrom, inHome, joinPath } from "../place.ts";
import type { Machine, Place } from "../place.ts";
import { readTools } from "./claude-code.ts";

/**
 * opencode: the global `opencode.json` in `~/.config/opencode`, below XDG_CONFIG_HOME where that is set
 * (opencode.ai/docs/config; version 2 reads the same file, opencode.ai/docs/migrate-v1). A provider of one's own over
 * `@ai-sdk/openai-compatible`, which is part of opencode (opencode.ai/docs/providers), and `mcp` (opencode.ai/docs/mcp-servers).
 */
export const opencode: ClientKind = {
  id: "opencode",
  name: "opencode",
  wire: "chat",
  slots: ["main"],
  keyElsewhere: false,
  files: {
    models: {
      format: "json",
      place: getPlace,
      settings: ({ origin, key, models }) => [
        value(["provider", "postern"], {
          npm: "@ai-sdk/openai-compatible",
          name: "Postern",
          options: { baseURL: `${origin}/v1`, apiKey: key },
          models: models.main === undefined ? {} : { [models.main]: { name: models.main } },
        }),
        ...(models.main === undefined ? [] : [value(["model"], `postern/${models.main}`)]),
      ],
      connected: (data) => {
        const options = getValue(data, ["provider", "postern", "options"]);
        const url = getText(getValue(options, ["baseURL"]));
        if (url === null) return null;
        const model = Object.keys(getValue(data, ["provider", "postern", "models"]) ?? {})[0] ?? null;
        return { url, key: getText(getValue(options, ["apiKey"])), model };
      },
      detour: (data) => {
        const [on, off] = ["enabled_providers", "disabled_providers"].map((name) => getValue(data, [name]));
        if (Array.isArray(on) && !on.includes("postern")) return "enabled_providers without postern";
        if (Array.isArray(off) && off.includes("postern")) return "disabled_providers with postern";
        const model = getText(getValue(data, ["model"]));
        return model === null || model.startsWith("postern/") ? null : `model = "${model}"`;
      },
    },
    mcp: {
      format: "json",
      place: getPlace,
      settings: ({ origin, key }) => [
        value(["mcp", "postern"], {
          type: "remote",
          url: `${origin}/mcp`,
          enabled: true,
          headers: { Authorization: `Bearer ${key}` },
        }),
      ],
      connected: (data) => readTools(getValue(data, ["mcp", "postern"])),
    },
  },
};

/** `opencode.jsonc` wins over `opencode.json` (packages/opencode/src/config/config.ts of anomalyco/opencode, read 2026-11-29). */
function getPlace(machine: Machine): Place | null {
  const config = folderFrom(machine, "XDG_CONFIG_HOME");
  const known =
    config === null
      ? inHome(machine, ".config", "opencode", "opencode.json")
      : { path: joinPath(machine, config, "opencode", "opencode.json"), base: config, lock: null };
  return known === null ? null : { ...known, instead: `${known.path}c` };
}
