import type { ClientModels } from "../../contract/clients.ts";
import type { ModelView } from "../../contract/model-view.ts";
import type { Offered } from "./client-kind.ts";

/** Tokens; what most models take that no one says it of. */
export const USUAL_CONTEXT = 128_000;
/** Tokens of output of a model that no one says it of; less where its context is small. */
const USUAL_OUTPUT = 16_384;

/**
 * Lists the models of an app's picker: the chosen ones, else all chat models that are served, with the main one first. A
 * chosen model that is not served now stays, with usual sizes where none are known.
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
