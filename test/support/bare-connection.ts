import { initialSettings } from "../../gateway/contract/settings.ts";
import { TimeLimits } from "../../gateway/services/calls/time-limits.ts";
import { NOTHING_STORED } from "../../gateway/services/settings.ts";
import { makeConnection, type Connection } from "../../gateway/services/connections/connection.ts";
import { providers, type ProviderId } from "../../gateway/providers/registry.ts";

/** A connection with one key, for what sends no request. */
export function bareConnection(
  provider: ProviderId,
  promptCaching = false,
  baseUrl = "https://models.example.com/v1",
): Connection {
  return makeConnection({
    id: "c",
    provider: providers[provider],
    name: provider,
    baseUrl,
    priority: 0,
    enabled: true,
    from: "created",
    createdAt: 0,
    promptCaching,
    credentials: [{ secret: "k", hint: "k" }],
  });
}

/** Where the owner changed none. */
export const usualTimeLimits = new TimeLimits({ get: (name) => initialSettings[name], stored: NOTHING_STORED });
