import type { ClientKind } from "../client-kind.ts";
import { getItem, getText, value } from "../client-kind.ts";
import { getValue } from "../data.ts";
import type { Data } from "../data.ts";
import { inHome } from "../place.ts";
import type { Machine, Place } from "../place.ts";
import { readTools } from "./claude-code.ts";

/** The variable that Qwen Code takes the key from; its own `env` sets it. */
const KEY_VARIABLE = "POSTERN_API_KEY";

const getPlace = (machine: Machine): Place | null => inHome(machine, ".qwen", "settings.json");

/**
 * Qwen Code: `~/.qwen/settings.json` (qwenlm.github.io/qwen-code-docs, users/configuration: settings, model-providers,
 * auth). A model is an element of `modelProviders.openai`, distinguished from others of its name by its `baseUrl`; its key
 * is in `env`, under the name that `envKey` says. Tools: `mcpServers` with `httpUrl`.
 */
export const qwenCode: ClientKind = {
  id: "qwen-code",
  name: "Qwen Code",
  wire: "chat",
  slots: ["main"],
  keyElsewhere: false,
  files: {
    models: {
      format: "json",
      place: getPlace,
      settings: ({ origin, key, models }) => [
        value(["env", KEY_VARIABLE], key),
        getItem(["modelProviders", "openai"], {
          id: models.main ?? "",
          name: `Postern ${models.main ?? ""}`.trim(),
          baseUrl: `${origin}/v1`,
          envKey: KEY_VARIABLE,
        }),
        value(["security", "auth", "selectedType"], "openai"),
        ...(models.main === undefined ? [] : [value(["model", "name"], models.main)]),
      ],
      connected: (data) => {
        const models = getValue(data, ["modelProviders", "openai"]);
        const model = Array.isArray(models)
          ? (models as Data[]).findLast((one) => getValue(one, ["envKey"]) === KEY_VARIABLE)
          : undefined;
        const url = getText(getValue(model, ["baseUrl"])) ?? getText(getValue(data, ["env", "OPENAI_BASE_URL"]));
        if (url === null) return null;
        const key = getText(getValue(data, ["env", model === undefined ? "OPENAI_API_KEY" : KEY_VARIABLE]));
        return { url, key, model: getText(getValue(model, ["id"])) ?? getText(getValue(data, ["model", "name"])) };
      },
    },
    mcp: {
      format: "json",
      place: getPlace,
      settings: ({ origin, key }) => [
        value(["mcpServers", "postern"], { httpUrl: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } }),
      ],
      connected: (data) => readTools(getValue(data, ["mcpServers", "postern"]), "httpUrl"),
    },
  },
};
