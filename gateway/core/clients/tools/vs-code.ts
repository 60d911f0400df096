import type { ClientKind } from "../client-kind.ts";
import { getItem, getToolFile, createReader } from "../client-kind.ts";
import { inAppData } from "../place.ts";
import type { Machine, Place } from "../place.ts";

const inUser =
  (file: string) =>
  (machine: Machine): Place | null =>
    inAppData(machine, "APPDATA", "Code", "User", file);

/**
 * VS Code: `chatLanguageModels.json` in its user folder, a list of providers; `customendpoint` is a custom provider
 * (code.visualstudio.com/docs/agent-customization/language-models, custom endpoint, read 2026-11-29; a key may be in
 * the file in plain text: microsoft/vscode#316916). Tools: `mcp.json` there
 * (code.visualstudio.com/docs/copilot/customization/mcp-servers).
 */
export const vsCode: ClientKind = {
  id: "vs-code",
  name: "VS Code",
  wire: "chat",
  slots: ["main"],
  hasPicker: true,
  files: [
    {
      part: "models",
      format: "json",
      place: inUser("chatLanguageModels.json"),
      settings: ({ origin, key, offered }) => [
        getItem([], {
          name: "Postern",
          vendor: "customendpoint",
          apiKey: key,
          apiType: "chat-completions",
          models: offered.map(({ id, name, context, output, hasVision }) => ({
            id,
            name,
            url: `${origin}/v1/chat/completions`,
            toolCalling: true,
            vision: hasVision,
            maxInputTokens: context - output,
            maxOutputTokens: output,
          })),
        }),
      ],
      connected: createReader({
        url: [{ name: "Postern" }, "models", 0, "url"],
        key: [{ name: "Postern" }, "apiKey"],
        model: [{ name: "Postern" }, "models", 0, "id"],
      }),
    },
    getToolFile("json", inUser("mcp.json"), ["servers", "postern"], { more: { type: "http" } }),
  ],
};
