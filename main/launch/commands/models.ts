import { describeEndings } from "../../../gateway/contract/model-ending.ts";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import type { Command } from "../command.ts";
import { mirror } from "../mirror.ts";
import { printTable } from "../table.ts";

const TOKENS_ARE_BILLED: readonly string[] = ["chat", "messages", "embedding"];
const NO_RATE = "–";

/**
 * Formats the price per million input and output tokens. Without either, a token-billed model is unpriced; for others
 * only `GET /v1/models` has the price of an image, a character or a second.
 */
function rateLabel(
  { capabilities, input_nano_per_million: input, output_nano_per_million: output }: ModelView,
  nano: number | null,
): string {
  if (input === null && output === null && capabilities.some((one) => TOKENS_ARE_BILLED.includes(one))) {
    return "unpriced";
  }
  return nano === null ? NO_RATE : moneyLabel(nano);
}

/** A row for each model; prices are per million tokens of the first tier. */
function printModels(models: readonly ModelView[]): string {
  if (models.length === 0) return "No model can be served: no provider is connected and the sandbox is off.";
  const text = printTable(models, {
    ID: "id",
    PROVIDER: (model) => (model.sandbox ? "sandbox" : model.served ? model.provider : "not served"),
    ">CONTEXT": ({ context_length: context }) => context ?? "unknown",
    ">INPUT/M": (model) => rateLabel(model, model.input_nano_per_million),
    ">OUTPUT/M": (model) => rateLabel(model, model.output_nano_per_million),
    CAN: ({ capabilities }) => capabilities.join(","),
    ...(models.some(({ aliases }) => aliases.length > 0) && {
      ALIASES: ({ aliases }: ModelView) => aliases.join(","),
    }),
  });
  if (!text.includes(` ${NO_RATE}`)) return text;
  return `${text}\n${NO_RATE}: no price by the token. GET /v1/models has those by image, character and second.`;
}

export const modelCommands: readonly Command[] = [
  mirror("models", "listModels", "the models that can be served now, with prices", {
    print: ({ data }) => [printModels(data), ...describeEndings(data, null, Date.now())].join("\n"),
  }),
  mirror(
    "alias set",
    "setAlias",
    "let a name of your own stand for a model; a name that stands for another one moves",
    {
      id: "name",
      options: { model: { value: "MODEL", about: "the id of the model" } },
      print: ({ id, served }, { id: name }) =>
        `${name} stands for ${id}.${served ? "" : " No enabled connection serves it now."}`,
    },
  ),
  mirror("alias list", "listModels", "names of your own, each with its model", {
    print({ data }) {
      const names = data.flatMap(({ id, aliases }) => aliases.map((name) => ({ name, model: id })));
      if (names.length > 0) return { json: { data: names }, text: printTable(names, { NAME: "name", MODEL: "model" }) };
      return { json: { data: [] }, text: 'There are none. Make one with "postern alias set NAME --model MODEL".' };
    },
  }),
  mirror("alias remove", "removeAlias", "take a name of your own away again", { id: "name" }),
];
