import { valueAt } from "../../core/clients/data.ts";
import type { Data } from "../../core/clients/data.ts";
import { readData, textOf } from "../../core/clients/edit-file.ts";
import { joined } from "../../core/clients/place.ts";
import type { Relay } from "../../core/clients/self-loop.ts";
import { GatewayError } from "../../core/errors.ts";
import type { ClientDeps } from "./client-deps.ts";

const USUAL_PORT = 3_456;

/**
 * Other gateways on this machine whose configuration says where they lead: Claude Code Router, by
 * `~/.claude-code-router/config.json` with `PORT` and `Providers[].api_base_url` (github.com/musistudio/claude-code-router).
 * What cannot be read is left out: this is a warning, no condition.
 */
export async function findRelays({ machine, clientFiles }: ClientDeps): Promise<readonly Relay[]> {
  if (machine.home === null) return [];
  try {
    const { bytes } = await clientFiles.read(joined(machine, machine.home, ".claude-code-router", "config.json"));
    if (bytes === null) return [];
    const data = readData("json", textOf(bytes));
    const port = Number(valueAt(data, ["PORT"]) ?? USUAL_PORT);
    const providers = valueAt(data, ["Providers"]);
    const targets = (Array.isArray(providers) ? (providers as Data[]) : [])
      .map((provider) => valueAt(provider, ["api_base_url"]))
      .filter((url) => typeof url === "string");
    return [{ name: "Claude Code Router", address: `http://127.0.0.1:${port}`, targets }];
  } catch (error) {
    if (error instanceof GatewayError) return [];
    throw error;
  }
}
