import type { ClientKind } from "../client-kind.ts";
import { getText, createReader, value } from "../client-kind.ts";
import { inFolder } from "../place.ts";
import type { Machine, Place } from "../place.ts";

const OWN = ["providers", "postern"];

const inAgent =
  (file: string) =>
  (machine: Machine): Place | null =>
    inFolder(machine, "PI_CODING_AGENT_DIR", file, [".pi", "agent"]);

/**
 * pi: `models.json` in PI_CODING_AGENT_DIR, else `~/.pi/agent`, and the default model in `settings.json` there
 * (models.md and settings.md in @earendil-works/pi-coding-agent 1.6.0, npm, read and tried 2026-11-29). It does not
 * support MCP.
 */
export const pi: ClientKind = {
  id: "pi",
  name: "pi",
  wire: "chat",
  slots: ["main"],
  hasPicker: true,
  files: [
    {
      part: "models",
      format: "json",
      place: inAgent("models.json"),
      settings: ({ origin, key, offered }) => [
        value(OWN, {
          baseUrl: `${origin}/v1`,
          api: "openai-completions",
          apiKey: key,
          models: offered.map(({ id, name, context, output, hasVision, isReasoning }) => ({
            id,
            name,
            reasoning: isReasoning,
            input: hasVision ? ["text", "image"] : ["text"],
            contextWindow: context,
            maxTokens: output,
          })),
        }),
      ],
      connected: createReader({
        url: [...OWN, "baseUrl"],
        key: [...OWN, "apiKey"],
        model: [...OWN, "models", 0, "id"],
      }),
    },
    {
      part: "models",
      format: "json",
      place: inAgent("settings.json"),
      settings: ({ models }) => [
        value(["defaultProvider"], "postern"),
        ...(getText(models.main) === null ? [] : [value(["defaultModel"], models.main)]),
      ],
    },
  ],
};
