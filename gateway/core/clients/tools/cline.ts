import type { ClientKind } from "../client-kind.ts";
import { getToolFile, createReader, value } from "../client-kind.ts";
import { folderFrom, inHome, joinPath } from "../place.ts";
import type { Machine, Place } from "../place.ts";

/** The provider that Cline has for any address; one of another name is refused by its command (tried with 3.0.65). */
const ID = "openai-compatible";
const OWN = ["providers", ID];
const ENTRY = [...OWN, "settings"];
/** Cline requires a time of each entry and sets it at each start; a fixed one lets the same settings be the same bytes. */
const WRITTEN_AT = "2026-01-01T00:00:00.000Z";

const inSettings =
  (file: string) =>
  (machine: Machine): Place | null => {
    const data = folderFrom(machine, "CLINE_DATA_DIR");
    const root = folderFrom(machine, "CLINE_DIR");
    const base = data ?? root;
    if (base === null) return inHome(machine, ".cline", "data", "settings", file);
    const below = data === null ? ["data", "settings", file] : ["settings", file];
    return { path: joinPath(machine, base, ...below), base, lock: null };
  };

const getPlace = inSettings("providers.json");

/**
 * Cline, the command and the extension since their shared core: `settings/providers.json` in CLINE_DATA_DIR, else
 * `~/.cline/data`, with the models of a provider in `models.json` and tools in `cline_mcp_settings.json` there (schemas in
 * @cline/core and @cline/shared of cline 3.0.65, read and tried 2026-11-29).
 */
export const cline: ClientKind = {
  id: "cline",
  name: "Cline",
  wire: "chat",
  slots: ["main"],
  hasPicker: true,
  files: [
    {
      part: "models",
      format: "json",
      plainJson: true,
      place: getPlace,
      settings: ({ origin, key, models }) => [
        value(["version"], 1),
        value(ENTRY, { provider: ID, apiKey: key, model: models.main ?? "", baseUrl: `${origin}/v1` }),
        { kind: "value", path: [...OWN, "updatedAt"], value: WRITTEN_AT, isRewritten: true },
        value([...OWN, "tokenSource"], "manual"),
        value(["lastUsedProvider"], ID),
      ],
      connected: createReader({ url: [...ENTRY, "baseUrl"], key: [...ENTRY, "apiKey"], model: [...ENTRY, "model"] }),
      detour: (data) => {
        const used = createReader({ url: ["lastUsedProvider"] })(data)?.url ?? ID;
        return used === ID ? null : `lastUsedProvider = "${used}"`;
      },
    },
    {
      part: "models",
      format: "json",
      plainJson: true,
      place: inSettings("models.json"),
      settings: ({ offered }) => [
        value(["version"], 1),
        value(
          [...OWN, "models"],
          Object.fromEntries(
            offered.map(({ id, name, context, output, hasVision, isReasoning }) => [
              id,
              {
                id,
                name,
                contextWindow: context,
                maxTokens: output,
                supportsVision: hasVision,
                supportsReasoning: isReasoning,
              },
            ]),
          ),
        ),
      ],
    },
    {
      ...getToolFile("json", inSettings("cline_mcp_settings.json"), ["mcpServers", "postern"], {
        more: { type: "streamableHttp" },
      }),
      plainJson: true,
    },
  ],
};
