import type { ClientModels } from "../../contract/clients.ts";
import type { ModelView } from "../../contract/model-view.ts";
import type { Offered } from "./client-kind.ts";

/** Default context size in tokens, for models of unknown size. */
export const USUAL_CONTEXT = 128_000;
/** Default max output tokens for models of unknown size; less if the context is small. */
const USUAL_OUTPUT = 16_384;

/**
 * Lists the models for an app's picker: the chosen ones, else all served chat models, the main one first. A chosen
 * model that is not served now stays, with default sizes if unknown.
 */
export function listOffered(models: readonly ModelView[], { main, offered }: ClientModels): readonly Offered[] {
  const byName = new Map(models.flatMap((model) => [model.id, ...model.aliases].map((name) => [name, model] as const)));
  const served = models.filter((model) => model.served && model.capabilities.includes("chat")).map(({ id }) => id);
  const names = new Set([...(main === undefined ? [] : [main]), ...(offered ?? served)]);
  return [...names].map((id) => {
    const model = byName.get(id);
    const context = model?.context_length ?? USUAL_CONTEXT;
    return {
      id,
      name: model?.id === id ? model.name : id,
      context,
      output: Math.min(model?.max_output ?? USUAL_OUTPUT, Math.floor(context / 2)),
      hasVision: model?.abilities?.pictures === true,
      isReasoning: model?.reasoning === true,
    };
  });
}
