import { startGateway } from "../../../support/running-gateway.ts";
import type { TestGateway } from "../../../support/running-gateway.ts";
import { WireVendor, reply } from "../../../support/wire-vendor.ts";
import { KEYS } from "./chat-vendors.ts";
import type { Deviations } from "./strict.ts";

type Name = keyof typeof KEYS;

/** What comes behind the origin in a vendor's base URL, as the contract writes it. */
const PREFIX: Readonly<Record<Name, string>> = { dashscope: "", gemini: "", ark: "/api/v3", xai: "/v1", voyage: "/v1" };

/** A gateway that is connected to a simulator of each vendor, and what its requests did wrong. */
export class Simulated {
  readonly vendors: Readonly<Record<Name, WireVendor>> = {
    dashscope: new WireVendor(),
    gemini: new WireVendor(),
    ark: new WireVendor(),
    xai: new WireVendor(),
    voyage: new WireVendor(),
  };
  readonly deviations: Deviations = [];
  #gateway: TestGateway | null = null;

  /** @param prepare puts answers on the simulators that the gateway asks for at its start. */
  async start(prepare: () => void = () => {}): Promise<void> {
    await Promise.all(Object.values(this.vendors).map((vendor) => vendor.listen()));
    this.vendors.ark.on("GET /api/v3/models", reply(200, listOf("doubao-seed-1-6", "doubao-seedream-4-5-251128")));
    prepare();
    this.#gateway = await startGateway({
      env: Object.fromEntries(
        Object.entries(this.vendors).flatMap(([name, vendor]) => [
          [`POSTERN_${name.toUpperCase()}_BASE_URL`, `${vendor.origin}${PREFIX[name as Name]}`],
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
    await Promise.all(Object.values(this.vendors).map((vendor) => vendor.close()));
  }
}

function listOf(...ids: readonly string[]): object {
  return { object: "list", data: ids.map((id) => ({ id, object: "model", created: 1, owned_by: "vendor" })) };
}
