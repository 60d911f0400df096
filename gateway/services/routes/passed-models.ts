import type { PassedModel } from "../../contract/routed.ts";

/** Models of a chain that were skipped or that failed, as listed in the receipt. */
export class PassedModels {
  /** The passed models in the order of their addition. */
  readonly list: PassedModel[] = [];

  /** Marks a model as skipped or deferred. The first reason is kept. */
  pass(model: string, reason: Exclude<PassedModel["reason"], "failed">): null {
    if (this.#getPlace(model) < 0) this.list.push({ model, reason });
    return null;
  }

  /** Records a model that was called and failed. */
  addFailed({ model, ...how }: Omit<PassedModel, "reason">): void {
    this.list.push({ model, reason: "failed", ...how });
  }

  /** Removes a skipped model that is called after all. */
  takeBack(model: string): void {
    const at = this.#getPlace(model);
    if (at >= 0) this.list.splice(at, 1);
  }

  clear(): void {
    this.list.length = 0;
  }

  #getPlace(id: string): number {
    return this.list.findIndex(({ model, reason }) => model === id && reason !== "failed");
  }
}
