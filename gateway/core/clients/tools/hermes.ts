import type { ClientKind } from "../client-kind.ts";
import { getToolFile, createReader, value } from "../client-kind.ts";
import { folderFrom, inAppData, inFolder } from "../place.ts";
import type { Machine, Place } from "../place.ts";

const OWN = ["providers", "postern"];

function getPlace(machine: Machine): Place | null {
  if (machine.platform === "win32" && folderFrom(machine, "HERMES_HOME") === null)
    return inAppData(machine, "LOCALAPPDATA", "hermes", "config.yaml");
  return inFolder(machine, "HERMES_HOME", "config.yaml", [".hermes"]);
}

/**
 * Hermes Agent: `config.yaml` in HERMES_HOME, else `~/.hermes`, on Windows `%LOCALAPPDATA%\hermes`. The provider is
 * under `providers` and chosen by `model.provider: custom:NAME`; Hermes fetches its model list itself. Tools:
 * `mcp_servers` (hermes_constants.py, hermes_cli/runtime_provider.py and config.py, tools/mcp_tool.py of hermes-agent
 * 0.19.0, PyPI, read 2026-11-29).
 */
export const hermes: ClientKind = {
  id: "hermes",
  name: "Hermes Agent",
  wire: "chat",
  slots: ["main"],
  files: [
    {
      part: "models",
      format: "yaml",
      place: getPlace,
      settings: ({ origin, key, models, contextOf }) => [
        value(OWN, {
          name: "Postern",
          api: `${origin}/v1`,
          api_key: key,
          transport: "chat_completions",
          default_model: models.main ?? "",
          models: models.main === undefined ? {} : { [models.main]: { context_length: contextOf(models.main) } },
        }),
        // An address or key of another provider in the same mapping would go before the provider's own.
        value(["model"], { default: models.main ?? "", provider: "custom:postern" }),
      ],
      connected: createReader({ url: [...OWN, "api"], key: [...OWN, "api_key"], model: ["model", "default"] }),
      detour: (data) => {
        const provider = (createReader({ url: ["model", "provider"] })(data)?.url ?? "custom:postern").toLowerCase();
        return provider === "custom:postern" || provider === "postern" ? null : `model.provider = "${provider}"`;
      },
    },
    getToolFile("yaml", getPlace, ["mcp_servers", "postern"]),
  ],
};
