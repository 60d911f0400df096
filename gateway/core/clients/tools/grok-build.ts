import type { ClientKind } from "../client-kind.ts";
import { getText, getToolFile, createReader, value } from "../client-kind.ts";
import { getValue } from "../data.ts";
import { inFolder } from "../place.ts";
import type { Machine, Place } from "../place.ts";

const getPlace = (machine: Machine): Place | null => inFolder(machine, "GROK_HOME", "config.toml", [".grok"]);

/**
 * Grok Build: `config.toml` in GROK_HOME, else `~/.grok`: a custom model under `[model.NAME]`, the selection in
 * `[models]` (docs.x.ai/build/overview, docs.x.ai/build/settings; `api_key` by docs.rs/cc-switch, GrokConfiguration),
 * tools under `[mcp_servers.NAME]` (docs.x.ai/build/features/mcp-servers), all read 2026-11-29.
 */
export const grokBuild: ClientKind = {
  id: "grok-build",
  name: "Grok Build",
  wire: "chat",
  slots: ["main"],
  files: [
    {
      part: "models",
      format: "toml",
      place: getPlace,
      settings: ({ origin, key, models, contextOf }) => [
        value(["model", "postern"], {
          model: models.main ?? "",
          base_url: `${origin}/v1`,
          name: `Postern ${models.main ?? ""}`.trim(),
          api_key: key,
          context_window: models.main === undefined ? 0 : contextOf(models.main),
        }),
        value(["models", "default"], "postern"),
      ],
      connected: createReader({
        url: ["model", "postern", "base_url"],
        key: ["model", "postern", "api_key"],
        model: ["model", "postern", "model"],
      }),
      detour: (data) => {
        const chosen = getText(getValue(data, ["models", "default"]));
        return chosen === null || chosen === "postern" ? null : `models.default = "${chosen}"`;
      },
    },
    getToolFile("toml", getPlace, ["mcp_servers", "postern"]),
  ],
};
