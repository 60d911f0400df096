import type { ClientKind } from "../client-kind.ts";
import { createReader, value } from "../client-kind.ts";
import { inFolder } from "../place.ts";

/**
 * Junie CLI: a profile `models/postern.json` in JUNIE_HOME, else `~/.junie`, chosen as `custom:postern`; its address is that of
 * the endpoint itself (coder.com/docs, ai-gateway/clients/junie; docs.orq.ai, code-assistants/junie; read 2026-11-29).
 */
export const junie: ClientKind = {
  id: "junie",
  name: "Junie",
  wire: "responses",
  slots: ["main"],
  files: [
    {
      part: "models",
      format: "json",
      plainJson: true,
      place: (machine) => inFolder(machine, "JUNIE_HOME", ["models", "postern.json"], [".junie"]),
      settings: ({ origin, key, models }) => [
        value(["id"], models.main ?? ""),
        value(["baseUrl"], `${origin}/v1/responses`),
        value(["apiType"], "OpenAIResponses"),
        value(["apiKey"], key),
      ],
      connected: createReader({ url: ["baseUrl"], key: ["apiKey"], model: ["id"] }),
    },
  ],
};
