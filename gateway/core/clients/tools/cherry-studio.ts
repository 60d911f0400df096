import type { ClientKind } from "../client-kind.ts";
import { inAppData } from "../place.ts";

/**
 * Cherry Studio stores its providers in its own database and adds one by a link, whose data is Base64 of JSON
 * (src/main/services/protocol/handlers/providersImport.ts of CherryHQ/cherry-studio, read 2026-11-29); it appends `/v1`
 * itself, asks the user before saving, and fetches the model list.
 */
export const cherryStudio: ClientKind = {
  id: "cherry-studio",
  name: "Cherry Studio",
  wire: "chat",
  slots: ["main"],
  keyElsewhere: true,
  files: [],
  link: {
    trace: (machine) => inAppData(machine, "APPDATA", "CherryStudio", "config.json"),
    url: ({ origin, key }) => {
      const provider = { id: "postern", name: "Postern", type: "openai", baseUrl: origin, apiKey: key };
      const data = Buffer.from(JSON.stringify(provider)).toString("base64");
      return `cherrystudio://providers/api-keys?v=1&data=${encodeURIComponent(data)}`;
    },
  },
};
