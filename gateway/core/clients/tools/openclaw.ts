import type { ClientKind } from "../client-kind.ts";
import { getToolFile, createReader, value } from "../client-kind.ts";
import { folderFrom, inFolder, inHome } from "../place.ts";
import type { Machine, Place } from "../place.ts";

const OWN = ["models", "providers", "postern"];

/** OPENCLAW_CONFIG_PATH names the file, OPENCLAW_STATE_DIR its folder (help/environment.md in openclaw 2026.9.6, npm). */
function getPlace(machine: Machine): Place | null {
  const path = folderFrom(machine, "OPENCLAW_CONFIG_PATH");
  if (path !== null) return { path, base: path.replace(/[/\\][^/\\]*$/, ""), lock: null };
  if (folderFrom(machine, "OPENCLAW_STATE_DIR") !== null)
    return inFolder(machine, "OPENCLAW_STATE_DIR", "openclaw.json", []);
  return inHome(
    { ...machine, home: folderFrom(machine, "OPENCLAW_HOME") ?? machine.home },
    ".openclaw",
    "openclaw.json",
  );
}

/**
 * OpenClaw: `~/.openclaw/openclaw.json`, whose JSON5 it writes as JSON. A provider under `models.providers`, the first model in
 * `agents.defaults.model.primary`, tools in `mcp.servers` (gateway/local-models.md and config-extensions.md in openclaw 2026.9.6,
 * npm, read and tried 2026-11-29).
 */
export const openclaw: ClientKind = {
  id: "openclaw",
  name: "OpenClaw",
  wire: "chat",
  slots: ["main"],
  hasPicker: true,
  files: [
    {
      part: "models",
      format: "json",
      place: getPlace,
      settings: ({ origin, key, models, offered }) => [
        value(OWN, {
          baseUrl: `${origin}/v1`,
          apiKey: key,
          api: "openai-completions",
          models: offered.map(({ id, name, context, output, hasVision, isReasoning }) => ({
            id,
            name,
            reasoning: isReasoning,
            input: hasVision ? ["text", "image"] : ["text"],
            contextWindow: context,
            maxTokens: output,
          })),
        }),
        value(["models", "mode"], "merge"),
        ...(models.main === undefined
          ? []
          : [value(["agents", "defaults", "model", "primary"], `postern/${models.main}`)]),
      ],
      connected: createReader({
        url: [...OWN, "baseUrl"],
        key: [...OWN, "apiKey"],
        model: ["agents", "defaults", "model", "primary"],
      }),
    },
    getToolFile("json", getPlace, ["mcp", "servers", "postern"], { more: { transport: "streamable-http" } }),
  ],
};
