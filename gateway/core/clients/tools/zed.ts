import type { ClientKind } from "../client-kind.ts";
import { getText, getToolFile, createReader, value } from "../client-kind.ts";
import { getValue } from "../data.ts";
import { inAppData, inConfig, inHome } from "../place.ts";
import type { Machine, Place } from "../place.ts";

/** Also the stem of the variable that Zed takes the key from: POSTERN_API_KEY. */
const PROVIDER = "Postern";
const OWN = ["language_models", "openai_compatible", PROVIDER];

/**
 * Zed: `settings.json` in `~/.config/zed`, below XDG_CONFIG_HOME on Linux if that is set, `%APPDATA%\Zed` on Windows
 * (zed.dev/docs/configuring-zed). Models: `language_models.openai_compatible` (zed.dev/docs/ai/use-api-access); the key
 * is never in the file but in the system's keychain, entered in Zed's settings, or in POSTERN_API_KEY. Tools:
 * `context_servers` with `url` and `headers` (zed.dev/docs/ai/mcp).
 */
export const zed: ClientKind = {
  id: "zed",
  name: "Zed",
  wire: "chat",
  slots: ["main"],
  hasPicker: true,
  keyElsewhere: true,
  files: [
    {
      part: "models",
      format: "json",
      place: getPlace,
      settings: ({ origin, models, offered }) => [
        value(OWN, {
          api_url: `${origin}/v1`,
          available_models: offered.map(({ id, name, context, output, hasVision }) => ({
            name: id,
            display_name: name,
            max_tokens: context,
            max_output_tokens: output,
            capabilities: { tools: true, images: hasVision, parallel_tool_calls: false, prompt_cache_key: false },
          })),
        }),
        ...(models.main === undefined
          ? []
          : [value(["agent", "default_model"], { provider: PROVIDER, model: models.main })]),
      ],
      connected: (data) => {
        const found = createReader({ url: [...OWN, "api_url"], model: [...OWN, "available_models", 0, "name"] })(data);
        const chosen = getText(getValue(data, ["agent", "default_model", "model"]));
        return found === null ? null : { ...found, model: chosen ?? found.model };
      },
    },
    getToolFile("json", getPlace, ["context_servers", "postern"]),
  ],
};

function getPlace(machine: Machine): Place | null {
  if (machine.platform === "darwin") return inHome(machine, ".config", "zed", "settings.json");
  if (machine.platform === "linux") return inConfig(machine, "zed", "settings.json");
  return inAppData(machine, "APPDATA", "Zed", "settings.json");
}
