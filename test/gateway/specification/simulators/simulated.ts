import { startGateway } from "../../../support/running-gateway.ts";
import type { TestGateway } from "../../../support/running-gateway.ts";
import { WireProvider, reply } from "../../../support/wire-provider.ts";
import { KEYS } from "./chat-providers.ts";
import type { Deviations } from "./strict.ts";

type Name = keyof typeof KEYS;

/** What comes behind the origin in a provider's base URL, as docs/contract.md#starting-it has it. */
const PREFIX: Readonly<Record<Name, string>> = { dashscope: "", gemini: "", ark: "/api/v3", xai: "/v1" };

/** A gateway that is connected to a simulator of each provider, and what its requests did wrong. */
export class Simulated {
  readonly providers: Readonly<Record<Name, WireProvider>> = {
    dashscope: new WireProvider(),
    gemini: new WireProvider(),
    ark: new WireProvider(),
    xai: new WireProvider(),
  };
  readonly deviations: Deviations = [];
  #gateway: TestGateway | null = null;

  /** @param prepare puts answers on the simulators that the gateway asks for at its start. */
  async start(prepare: () => void = () => {}): Promise<void> {
    await Promise.all(Object.values(this.providers).map((provider) => provider.listen()));
    this.providers.ark.on("GET /api/v3/models", reply(200, listOf("doubao-seed-1-6", "doubao-seedream-4-5-251128")));
    prepare();
    this.#gateway = await startGateway({
      env: Object.fromEntries(
        Object.entries(this.providers).flatMap(([name, provider]) => [
          [`POSTERN_${name.toUpperCase()}_BASE_URL`, `${provider.origin}${PREFIX[name as Name]}`],
          [`POSTERN_${name.toUpperCase()}_API_KEY`, KEYS[name as Name]],
        ]),
      ),
    });
  }

  get gateway(): TestGateway {
    if (this.#gateway === null) throw new Error("not started");
    return this.#gateway;
  }

  async close(): Promise<void> {
    await this.#gateway?.close();
    await Promise.all(Object.values(this.providers).map((provider) => provider.close()));
  }
}

function listOf(...ids: readonly string[]): object {
  return { object: "list", data: ids.map((id) => ({ id, object: "model", created: 1, owned_by: "provider" })) };
}
