import * as z from "zod";
import { dollars, usdFromNano } from "../../lib/money.ts";
import type { Quote } from "../../services/calls/paid-call.ts";
import { checkArguments, defineTool } from "../tool/tool.ts";
import type { Tool } from "../tool/tool.ts";

const usd = z.number().nonnegative();

const output = z.object({
  tool: z.string().describe("Name of the tool."),
  model: z.string().describe("Id of the model that would respond."),
  max_cost_usd: usd
    .nullable()
    .describe(
      "The most the call would cost in US dollars, with estimated token counts; null when the model has no known price.",
    ),
  is_guess: z
    .boolean()
    .describe(
      "True when nothing in the arguments limits the output (chat without max_tokens): max_cost_usd is then the cost of the model's max output or, where the key has a limit, of the most output that the limit allows now. Most completions cost far less.",
    ),
  left_usd: usd.nullable().describe("US dollars that this key has left; null without a limit."),
  enough: z.boolean().describe("Whether what is left is enough for the call."),
  sandbox: z.boolean().describe("True when Postern's offline sandbox would respond: nothing real would be paid."),
});

/** Estimates the cost of a call of a paid tool. */
export function quoteTool(paidTools: readonly Tool[]): Tool {
  for (const { name, estimate } of paidTools) {
    if (estimate === undefined) throw new Error(`${name} costs money and cannot be priced`);
  }
  const byName = new Map(paidTools.map((tool) => [tool.name, tool]));
  const names = [...byName.keys()];
  return defineTool({
    name: "quote",
    title: "Estimate the cost of a call",
    description:
      `Estimates the most that a call of ${names.join(", ")} would cost, in US dollars, and whether this key has that much ` +
      "left, without making the call: nothing is sent to a provider, nothing is spent, no limit is used up. Give the " +
      "arguments exactly as you would give them to the tool; what the tool would refuse, quote refuses with the same " +
      "error. Use it before videos, many or large images, and long texts, or when the user asks for the price.",
    input: z.strictObject({
      tool: z.enum(names).describe("Name of the tool."),
      arguments: z.record(z.string(), z.unknown()).describe("Arguments for the tool, by its input schema."),
    }),
    output,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    capability: null,
    async run(call, args) {
      const tool = byName.get(args.tool);
      if (tool?.estimate === undefined) throw new Error(`the schema let the tool ${args.tool} through`);
      const { follower: _none, ...input } = call.input;
      const quote = await tool.estimate({ input }, checkArguments(tool, args.arguments));
      const enough = quote.remaining === null || quote.remaining >= quote.least;
      return {
        content: [{ type: "text", text: getWords(tool.name, quote, enough) }],
        structured: {
          tool: tool.name,
          model: quote.model,
          max_cost_usd: quote.nano === null ? null : usdFromNano(quote.nano),
          is_guess: quote.open,
          left_usd: quote.remaining === null ? null : usdFromNano(quote.remaining),
          enough,
          sandbox: quote.sandbox,
        },
      };
    },
  });
}

function getWords(tool: string, { model, nano, remaining, open, sandbox }: Quote, enough: boolean): string {
  const cost =
    nano === null
      ? `What this call of ${tool} would cost is not known: ${model} has no known price.`
      : open
        ? `This call of ${tool} would cost at most ${dollars(nano)} (${model}), at the model's max output; most completions are shorter, and max_tokens limits it.`
        : `This call of ${tool} would cost at most ${dollars(nano)} (${model}).`;
  const left =
    remaining === null
      ? "The key has no limit."
      : `The key has ${dollars(remaining)} left: ${enough ? "enough" : "not enough"}.`;
  return [cost, left, ...(sandbox ? ["The offline sandbox would respond: nothing real is paid."] : [])].join(" ");
}
