import type { ClientKind } from "../client-kind.ts";
import { getItem, createReader } from "../client-kind.ts";
import type { Setting } from "../file-format.ts";
import { inFolder } from "../place.ts";
import type { Machine, Place } from "../place.ts";

const NAME = "Postern";

const getPlace = (machine: Machine): Place | null =>
  inFolder(machine, "CONTINUE_GLOBAL_DIR", "config.yaml", [".continue"]);

/** Top-level fields that Continue requires in the file. */
const head: readonly Setting[] = [
  { kind: "value", path: ["name"], value: "Local config", onlyInNewFile: true },
  { kind: "value", path: ["version"], value: "1.0.0", onlyInNewFile: true },
  { kind: "value", path: ["schema"], value: "v1", onlyInNewFile: true },
];

/**
 * Continue, in VS Code and JetBrains: `config.yaml` in CONTINUE_GLOBAL_DIR, else `~/.continue`
 * (docs.continue.dev/reference, docs.continue.dev/customize/model-providers/top-level/openai). A model is one element
 * of `models`, its sizes in `defaultCompletionOptions`; a tool server one of `mcpServers`, of the type `streamable-http`.
 */
export const continueDev: ClientKind = {
  id: "continue",
  name: "Continue",
  wire: "chat",
  slots: ["main"],
  hasPicker: true,
  files: [
    {
      part: "models",
      format: "yaml",
      place: getPlace,
      settings: ({ origin, key, offered }) => [
        ...head,
        ...offered.map(({ id, context }, index) =>
          getItem(["models"], {
            name: index === 0 ? NAME : `${NAME} ${id}`,
            provider: "openai",
            model: id,
            apiBase: `${origin}/v1`,
            apiKey: key,
            defaultCompletionOptions: { contextLength: context },
          }),
        ),
      ],
      connected: createReader({
        url: ["models", { name: NAME }, "apiBase"],
        key: ["models", { name: NAME }, "apiKey"],
        model: ["models", { name: NAME }, "model"],
      }),
    },
    {
      part: "mcp",
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
      connected: createReader({
        url: ["mcpServers", { name: NAME }, "url"],
        key: ["mcpServers", { name: NAME }, "requestOptions", "headers", "Authorization"],
      }),
    },
  ],
};
