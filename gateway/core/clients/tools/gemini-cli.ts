import type { ClientKind } from "../client-kind.ts";
import { getToolFile, createReader, value } from "../client-kind.ts";
import { inHome } from "../place.ts";
import type { Machine, Place } from "../place.ts";

const getSettings = (machine: Machine): Place | null => inHome(machine, ".gemini", "settings.json");

/**
 * Gemini CLI: address and key in `~/.gemini/.env`, the auth type, model and tools in `settings.json` there (the
 * configuration reference in @google/gemini-cli 0.61.0, npm, read and tried 2026-11-30). Without the auth type it
 * assumes a gateway that needs no key.
 */
export const geminiCli: ClientKind = {
  id: "gemini-cli",
  name: "Gemini CLI",
  wire: "gemini",
  slots: ["main"],
  files: [
    {
      part: "models",
      format: "env",
      place: (machine) => inHome(machine, ".gemini", ".env"),
      settings: ({ origin, key, models }) => [
        value(["GOOGLE_GEMINI_BASE_URL"], origin),
        value(["GEMINI_API_KEY"], key),
        ...(models.main === undefined ? [] : [value(["GEMINI_MODEL"], models.main)]),
      ],
      connected: createReader({ url: ["GOOGLE_GEMINI_BASE_URL"], key: ["GEMINI_API_KEY"], model: ["GEMINI_MODEL"] }),
    },
    {
      part: "models",
      format: "json",
      place: getSettings,
      settings: () => [value(["security", "auth", "selectedType"], "gemini-api-key")],
    },
    getToolFile("json", getSettings, ["mcpServers", "postern"], { url: "httpUrl" }),
  ],
};
