import type { ClientKind } from "../client-kind.ts";
import { getText, value } from "../client-kind.ts";
import { getValue } from "../data.ts";
import type { Data } from "../data.ts";
import { folderFrom, inHome, joinPath } from "../place.ts";
import type { Machine, Place } from "../place.ts";
import { readTools } from "./claude-code.ts";

/** Also the stem of the variable that Zed takes the key from: POSTERN_API_KEY. */
const PROVIDER = "Postern";

/**
 * Zed: `settings.json` in `~/.config/zed`, below XDG_CONFIG_HOME on Linux where that is set, `%APPDATA%\Zed` on Windows
 * (zed.dev/docs/configuring-zed). Models: `language_models.openai_compatible` (zed.dev/docs/ai/use-api-access); the key
 * is never in the file but in the system's keychain, put in through Zed's settings, or in POSTERN_API_KEY. Tools:
 * `context_servers` with `url` and `headers` (zed.dev/docs/ai/mcp).
 */
export const zed: ClientKind = {
  id: "zed",
  name: "Zed",
  wire: "chat",
  slots: ["main"],
  keyElsewhere: true,
  files: {
    models: {
      format: "json",
      place: getPlace,
      settings: ({ origin, models, contextOf }) => [
        value(["language_models", "openai_compatible", PROVIDER], {
          api_url: `${origin}/v1`,
          available_models:
            models.main === undefined
              ? []
              : [{ name: models.main, display_name: models.main, max_tokens: contextOf(models.main) }],
        }),
        ...(models.main === undefined
          ? []
          : [value(["agent", "default_model"], { provider: PROVIDER, model: models.main })]),
      ],
      connected: (data) => {
        const provider = getValue(data, ["language_models", "openai_compatible", PROVIDER]);
        const url = getText(getValue(provider, ["api_url"]));
        if (url === null) return null;
        const models = getValue(provider, ["available_models"]);
        const model = Array.isArray(models) ? getText(getValue((models as Data[])[0], ["name"])) : null;
        return { url, key: null, model };
      },
    },
    mcp: {
      format: "json",
      place: getPlace,
      settings: ({ origin, key }) => [
        value(["context_servers", "postern"], { url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } }),
      ],
      connected: (data) => readTools(getValue(data, ["context_servers", "postern"])),
    },
  },
};

function getPlace(machine: Machine): Place | null {
  if (machine.platform === "win32") {
    const roaming = folderFrom(machine, "APPDATA");
    if (roaming === null) return null;
    return { path: joinPath(machine, roaming, "Zed", "settings.json"), base: roaming, lock: null };
  }
  const config = machine.platform === "linux" ? folderFrom(machine, "XDG_CONFIG_HOME") : null;
  if (config === null) return inHome(machine, ".config", "zed", "settings.json");
  return { path: joinPath(machine, config, "zed", "settings.json"), base: config, lock: null };
}
