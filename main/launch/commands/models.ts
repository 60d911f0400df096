import type { ModelView } from "../../../gateway/contract/control.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import type { Command } from "../command.ts";
import { table } from "../table.ts";

const rate = (nano: number | null): string => (nano === null ? "unpriced" : moneyLabel(nano));

/** One row a model; prices are per million tokens of the first tier. */
export function modelTable(models: readonly ModelView[]): string {
  const headings = ["ID", "VENDOR", ">CONTEXT", ">INPUT/M", ">OUTPUT/M", "CAN"];
  const rows = models.map((model) => [
    model.id,
    model.sandbox ? "sandbox" : model.vendor,
    model.context_length === null ? "unknown" : String(model.context_length),
    rate(model.input_nano_per_million),
    rate(model.output_nano_per_million),
    model.capabilities.join(","),
  ]);
  return rows.length === 0
    ? "No model can be served: no vendor is connected and the sandbox is off."
    : table(headings, rows);
}

export const listModels: Command = {
  name: "models",
  about: "the models that can be served now, with prices",
  options: {},
  async run({ control }) {
    const { data } = await control.call("listModels");
    return { json: { data }, text: modelTable(data) };
  },
};
