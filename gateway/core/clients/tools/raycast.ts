import type { ClientKind } from "../client-kind.ts";
import { getItem, createReader } from "../client-kind.ts";
import { inHome } from "../place.ts";

const OWN = ["providers", { id: "postern" }] as const;

/**
 * Raycast: an element of `providers` in `~/.config/raycast/ai/providers.yaml`, on Windows too (raycast.com/ernest0n,
 * raycast-ai-custom-providers; @bitkyc08/opencodex 2.63, `raycast.ts`; read 2026-11-29). It adds `/chat/completions`.
 */
export const raycast: ClientKind = {
  id: "raycast",
  name: "Raycast",
  wire: "chat",
  slots: ["main"],
  hasPicker: true,
  files: [
    {
      part: "models",
      format: "yaml",
      place: (machine) => inHome(machine, ".config", "raycast", "ai", "providers.yaml"),
      settings: ({ origin, key, offered }) => [
        getItem(["providers"], {
          id: "postern",
          name: "Postern",
          base_url: `${origin}/v1`,
          api_keys: { postern: key },
          models: offered.map(({ id, name, context, hasVision, isReasoning }) => ({
            id,
            name,
            provider: "postern",
            context,
            abilities: {
              temperature: { supported: !isReasoning },
              vision: { supported: hasVision },
              system_message: { supported: true },
              tools: { supported: true },
            },
          })),
        }),
      ],
      connected: createReader({
        url: [...OWN, "base_url"],
        key: [...OWN, "api_keys", "postern"],
        model: [...OWN, "models", 0, "id"],
      }),
    },
  ],
};
