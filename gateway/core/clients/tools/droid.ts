import type { ClientKind } from "../client-kind.ts";
import { getItem, getText, getToolFile, createReader, value } from "../client-kind.ts";
import { getValue } from "../data.ts";
import { inHome } from "../place.ts";

const CHOSEN = ["sessionDefaultSettings", "model"];

/** Droid's id of a custom model: any string that begins with `custom:`. */
const getId = (model: string): string => `custom:postern:${model}`;

/**
 * Factory Droid: `customModels` of `~/.factory/settings.json` (docs.factory.ai/model-independence/byok), the first one in
 * `sessionDefaultSettings.model`; tools in `mcp.json` there. Ids and sizes: the schema in droid 0.215.0 (npm), read and tried
 * 2026-11-29.
 */
export const droid: ClientKind = {
  id: "factory-droid",
  name: "Factory Droid",
  wire: "chat",
  slots: ["main"],
  hasPicker: true,
  files: [
    {
      part: "models",
      format: "json",
      place: (machine) => inHome(machine, ".factory", "settings.json"),
      settings: ({ origin, key, models, offered }) => [
        ...offered.map(({ id, name, context, output, hasVision }) =>
          getItem(["customModels"], {
            id: getId(id),
            model: id,
            displayName: `${name} (Postern)`,
            baseUrl: `${origin}/v1`,
            apiKey: key,
            provider: "generic-chat-completion-api",
            maxContextLimit: context,
            maxOutputTokens: output,
            noImageSupport: !hasVision,
          }),
        ),
        ...(models.main === undefined ? [] : [value(CHOSEN, getId(models.main))]),
      ],
      connected: (data) => {
        const id = getText(getValue(data, CHOSEN)) ?? "";
        const item = ["customModels", { id }];
        return createReader({ url: [...item, "baseUrl"], key: [...item, "apiKey"], model: [...item, "model"] })(data);
      },
    },
    getToolFile("json", (machine) => inHome(machine, ".factory", "mcp.json"), ["mcpServers", "postern"], {
      more: { type: "http", disabled: false },
    }),
  ],
};
