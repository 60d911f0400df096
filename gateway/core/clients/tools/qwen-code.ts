import type { ClientKind } from "../client-kind.ts";
import { getItem, getText, getToolFile, createReader, value } from "../client-kind.ts";
import { getValue } from "../data.ts";
import { inHome } from "../place.ts";
import type { Machine, Place } from "../place.ts";

/** The variable that Qwen Code takes the key from; its own `env` sets it. */
const KEY_VARIABLE = "POSTERN_API_KEY";

const getPlace = (machine: Machine): Place | null => inHome(machine, ".qwen", "settings.json");

/**
 * Qwen Code: `~/.qwen/settings.json` (qwenlm.github.io/qwen-code-docs, users/configuration: settings, model-providers,
 * auth). A model is an element of `modelProviders.openai`, distinguished from others of its name by its `baseUrl`; its key
 * is in `env`, under the name that `envKey` says, its size in `generationConfig.contextWindowSize`. Tools: `mcpServers`
 * with `httpUrl`.
 */
export const qwenCode: ClientKind = {
  id: "qwen-code",
  name: "Qwen Code",
  wire: "chat",
  slots: ["main"],
  hasPicker: true,
  files: [
    {
      part: "models",
      format: "json",
      place: getPlace,
      settings: ({ origin, key, models, offered }) => [
        value(["env", KEY_VARIABLE], key),
        ...offered.map(({ id, name, context }) =>
          getItem(["modelProviders", "openai"], {
            id,
            name: `Postern ${name}`,
            baseUrl: `${origin}/v1`,
            envKey: KEY_VARIABLE,
            generationConfig: { contextWindowSize: context },
          }),
        ),
        value(["security", "auth", "selectedType"], "openai"),
        ...(models.main === undefined ? [] : [value(["model", "name"], models.main)]),
      ],
      connected: (data) => {
        const model = getText(getValue(data, ["model", "name"]));
        const own = createReader({
          url: ["modelProviders", "openai", { envKey: KEY_VARIABLE }, "baseUrl"],
          key: ["env", KEY_VARIABLE],
          model: ["modelProviders", "openai", { envKey: KEY_VARIABLE }, "id"],
        })(data);
        if (own !== null) return { ...own, model: model ?? own.model };
        return createReader({
          url: ["env", "OPENAI_BASE_URL"],
          key: ["env", "OPENAI_API_KEY"],
          model: ["model", "name"],
        })(data);
      },
    },
    getToolFile("json", getPlace, ["mcpServers", "postern"], { url: "httpUrl" }),
  ],
};
