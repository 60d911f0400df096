import type { ClientKind, Connected } from "../client-kind.ts";
import { readBearer, getItem, getText } from "../client-kind.ts";
import { getValue } from "../data.ts";
import type { Data } from "../data.ts";
import type { Setting } from "../file-format.ts";
import { inFolder } from "../place.ts";
import type { Machine, Place } from "../place.ts";

const NAME = "Postern";

const getPlace = (machine: Machine): Place | null =>
  inFolder(machine, "CONTINUE_GLOBAL_DIR", "config.yaml", [".continue"]);

/** The fields that Continue requires in a file. */
const head: readonly Setting[] = [
  { kind: "value", path: ["name"], value: "Local config", onlyInNewFile: true },
  { kind: "value", path: ["version"], value: "1.0.0", onlyInNewFile: true },
  { kind: "value", path: ["schema"], value: "v1", onlyInNewFile: true },
];

/**
 * Continue, in VS Code and JetBrains: `config.yaml` in CONTINUE_GLOBAL_DIR, else `~/.continue`
 * (docs.continue.dev/reference, docs.continue.dev/customize/model-providers/top-level/openai). A model is one element
 * of `models`; a tool server one of `mcpServers`, of the type `streamable-http`.
 */
export const continueDev: ClientKind = {
  id: "continue",
  name: "Continue",
  wire: "chat",
  slots: ["main"],
  keyElsewhere: false,
  files: {
    models: {
      format: "yaml",
      place: getPlace,
      settings: ({ origin, key, models }) => [
        ...head,
        getItem(["models"], {
          name: `${NAME} ${models.main ?? ""}`.trim(),
          provider: "openai",
          model: models.main ?? "",
          apiBase: `${origin}/v1`,
          apiKey: key,
        }),
      ],
      connected: (data) => {
        const model = nameItems(data, "models");
        const url = getText(getValue(model, ["apiBase"]));
        if (url === null) return null;
        return { url, key: getText(getValue(model, ["apiKey"])), model: getText(getValue(model, ["model"])) };
      },
    },
    mcp: {
      format: "yaml",
      place: getPlace,
      settings: ({ origin, key }) => [
        ...head,
        getItem(["mcpServers"], {
          name: NAME,
          type: "streamable-http",
          url: `${origin}/mcp`,
          requestOptions: { headers: { Authorization: `Bearer ${key}` } },
        }),
      ],
      connected: (data): Connected | null => {
        const server = nameItems(data, "mcpServers");
        const url = getText(getValue(server, ["url"]));
        if (url === null) return null;
        return { url, key: readBearer(getValue(server, ["requestOptions", "headers", "Authorization"])), model: null };
      },
    },
  },
};

/** The newest element of a list that bears our name. */
function nameItems(data: Data, list: string): Data {
  const items = getValue(data, [list]);
  if (!Array.isArray(items)) return undefined;
  return (items as Data[]).findLast((one) => getText(getValue(one, ["name"]))?.startsWith(NAME) === true);
}
