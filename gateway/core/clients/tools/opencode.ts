import type { ClientFile, ClientKind, Order } from "../client-kind.ts";
import { getText, getToolFile, createReader, value } from "../client-kind.ts";
import { getValue } from "../data.ts";
import { inConfig } from "../place.ts";
import type { Machine, Place } from "../place.ts";

const PROVIDER = ["provider", "postern"];

/** The files of opencode and of what was made from it. @param folder the app's folder of configuration, and its file's name */
function listFiles(folder: string): readonly ClientFile[] {
  const place = (machine: Machine): Place | null => {
    const known = inConfig(machine, folder, `${folder}.json`);
    return known === null ? null : { ...known, instead: `${known.path}c` };
  };
  return [
    {
      part: "models",
      format: "json",
      place,
      settings: ({ origin, key, models, offered }: Order) => [
        value(PROVIDER, {
          npm: "@ai-sdk/openai-compatible",
          name: "Postern",
          options: { baseURL: `${origin}/v1`, apiKey: key },
          models: Object.fromEntries(
            offered.map(({ id, name, context, output, hasVision, isReasoning }) => [
              id,
              { name, limit: { context, output }, attachment: hasVision, reasoning: isReasoning, tool_call: true },
            ]),
          ),
        }),
        ...(models.main === undefined ? [] : [value(["model"], `postern/${models.main}`)]),
      ],
      connected: (data) => {
        const found = createReader({
          url: [...PROVIDER, "options", "baseURL"],
          key: [...PROVIDER, "options", "apiKey"],
        })(data);
        if (found === null) return null;
        const [first] = Object.keys(getValue(data, [...PROVIDER, "models"]) ?? {});
        const model = getText(getValue(data, ["model"]))?.replace(/^postern\//, "");
        return { ...found, model: model ?? first ?? null };
      },
      detour: (data) => {
        const [on, off] = ["enabled_providers", "disabled_providers"].map((name) => getValue(data, [name]));
        if (Array.isArray(on) && !on.includes("postern")) return "enabled_providers without postern";
        if (Array.isArray(off) && off.includes("postern")) return "disabled_providers with postern";
        const model = getText(getValue(data, ["model"]));
        return model === null || model.startsWith("postern/") ? null : `model = "${model}"`;
      },
    },
    getToolFile("json", place, ["mcp", "postern"], { more: { type: "remote", enabled: true } }),
  ];
}

/**
 * opencode: the global `opencode.json` in `~/.config/opencode`, below XDG_CONFIG_HOME if that is set
 * (opencode.ai/docs/config; version 2 reads the same file, opencode.ai/docs/migrate-v1). A custom provider with
 * `@ai-sdk/openai-compatible`, which is part of opencode, with the `limit` of each model (opencode.ai/docs/providers),
 * and `mcp` (opencode.ai/docs/mcp-servers). `opencode.jsonc` takes precedence over `opencode.json`
 * (packages/opencode/src/config/config.ts of anomalyco/opencode, read 2026-11-29).
 */
export const opencode: ClientKind = {
  id: "opencode",
  name: "opencode",
  wire: "chat",
  slots: ["main"],
  hasPicker: true,
  files: listFiles("opencode"),
};

/**
 * Kilo Code, the command and the extension since 7: `kilo.json` or `kilo.jsonc` in `~/.config/kilo`, in opencode's form
 * (the configuration reference in @kilocode/cli 7.7.9, read and tried 2026-11-29).
 */
export const kilo: ClientKind = {
  id: "kilo-code",
  name: "Kilo Code",
  wire: "chat",
  slots: ["main"],
  hasPicker: true,
  files: listFiles("kilo"),
};
