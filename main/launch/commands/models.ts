import { describeEndings } from "../../../gateway/contract/model-ending.ts";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import type { Command } from "../command.ts";
import { table } from "../table.ts";

const TOKENS_ARE_BILLED: readonly string[] = ["chat", "messages", "embedding"];
const NO_RATE = "–";

/**
 * The price of a million tokens in and out. Without either, a model that is billed by tokens is unpriced; of others
 * only `GET /v1/models` knows what an image, a character or a second costs.
 */
function rates({ capabilities, input_nano_per_million: input, output_nano_per_million: output }: ModelView): string[] {
  if (input === null && output === null && capabilities.some((one) => TOKENS_ARE_BILLED.includes(one))) {
    return ["unpriced", "unpriced"];
  }
  return [input, output].map((nano) => (nano === null ? NO_RATE : moneyLabel(nano)));
}

/** A row for each model; prices are per million tokens of the first tier. */
export function modelTable(models: readonly ModelView[]): string {
  const named = models.some(({ aliases }) => aliases.length > 0);
  const headings = ["ID", "PROVIDER", ">CONTEXT", ">INPUT/M", ">OUTPUT/M", "CAN", ...(named ? ["ALIASES"] : [])];
  const rows = models.map((model) => [
    model.id,
    model.sandbox ? "sandbox" : model.served ? model.provider : "not served",
    model.context_length === null ? "unknown" : String(model.context_length),
    ...rates(model),
    model.capabilities.join(","),
    ...(named ? [model.aliases.join(",")] : []),
  ]);
  if (rows.length === 0) return "No model can be served: no provider is connected and the sandbox is off.";
  const text = table(headings, rows);
  if (!rows.some((row) => row.includes(NO_RATE))) return text;
  return `${text}\n${NO_RATE}: no price by the token. GET /v1/models has those by image, character and second.`;
}

export const listModels: Command = {
  name: "models",
  about: "the models that can be served now, with prices",
  options: {},
  async run({ control }) {
    const { data } = await control.call("listModels");
    return { json: { data }, text: [modelTable(data), ...describeEndings(data, null, Date.now())].join("\n") };
  },
};
