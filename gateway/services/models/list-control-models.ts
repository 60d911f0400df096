import type { ModelView } from "../../contract/control.ts";
import { vendorName } from "../calls/call-record.ts";
import { isServed } from "./list-models.ts";
import type { ModelIndex } from "./model-index.ts";

/** The models that can be reached now, as the pages show them: all of them, whatever a key may use. */
export class ListControlModels {
  readonly #index: ModelIndex;

  constructor(index: ModelIndex) {
    this.#index = index;
  }

  list(): readonly ModelView[] {
    return this.#index
      .list()
      .filter(isServed)
      .map((route) => {
        const first = route.candidates[0];
        const rates = first?.price?.tiers[0]?.rates;
        return {
          id: route.id,
          vendor: first === undefined ? "" : vendorName(first),
          connections: route.candidates.map((candidate) => candidate.connection.name),
          capabilities: [...route.capabilities],
          context_length: route.discovered?.context_length ?? route.spec?.contextLength ?? null,
          input_nano_per_million: rates?.input ?? null,
          output_nano_per_million: rates?.output ?? null,
          sandbox: first?.connection.from === "sandbox",
        };
      });
  }
}
