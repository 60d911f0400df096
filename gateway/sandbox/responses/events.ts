import { INPUT_TOKENS_PER_DELTA, joined, REASONING_TOKENS_PER_DELTA } from "../conversation/deltas.ts";
import type { Plan } from "../conversation/plan.ts";
import { closedResponse, statusOf, textPart, type Item } from "./response.ts";

type Event = Readonly<Record<string, unknown>>;

/** The streamed answer: the events of the Responses API in OpenAI's order (docs/providers/openai.md#responses). */
export function* eventsOf(open: object, plan: Plan, items: readonly Item[]): Generator<Event, void, undefined> {
  let sequence = 0;
  const numbered = (type: string, fields: object): Event => {
    const event = { type: `response.${type}`, sequence_number: sequence, ...fields };
    sequence += 1;
    return event;
  };
  yield numbered("created", { response: open });
  yield numbered("in_progress", { response: open });
  for (const [index, item] of items.entries()) {
    const place = { item_id: item.id, output_index: index };
    const status = index === items.length - 1 ? statusOf(plan) : "completed";
    yield numbered("output_item.added", { output_index: index, item: item.body("", "in_progress") });
    for (const [type, fields] of contentEvents(item)) yield numbered(type, { ...place, ...fields });
    yield numbered("output_item.done", { output_index: index, item: item.body(item.tokens.join(""), status) });
  }
  yield numbered(statusOf(plan), { response: closedResponse(open, plan, items) });
}

type Content = readonly [type: string, fields: object];

function contentEvents(item: Item): Generator<Content, void, undefined> {
  switch (item.kind) {
    case "reasoning":
      return summaryEvents(item);
    case "message":
      return textEvents(item);
    case "function_call":
      return inputEvents(item, "function_call_arguments", "arguments");
    case "custom_tool_call":
      return inputEvents(item, "custom_tool_call_input", "input");
  }
}

function* summaryEvents({ tokens }: Item): Generator<Content, void, undefined> {
  if (tokens.length === 0) return;
  const place = { summary_index: 0 };
  const text = tokens.join("");
  yield ["reasoning_summary_part.added", { ...place, part: { type: "summary_text", text: "" } }];
  for (const delta of joined(tokens, REASONING_TOKENS_PER_DELTA)) {
    yield ["reasoning_summary_text.delta", { ...place, delta }];
  }
  yield ["reasoning_summary_text.done", { ...place, text }];
  yield ["reasoning_summary_part.done", { ...place, part: { type: "summary_text", text } }];
}

function* textEvents(item: Item): Generator<Content, void, undefined> {
  const place = { content_index: 0 };
  const text = item.tokens.join("");
  const logprobs = item.logprobs(item.tokens);
  yield ["content_part.added", { ...place, part: textPart("", []) }];
  for (const delta of item.tokens) yield ["output_text.delta", { ...place, delta, logprobs: item.logprobs([delta]) }];
  yield ["output_text.done", { ...place, text, logprobs }];
  yield ["content_part.done", { ...place, part: textPart(text, logprobs) }];
}

function* inputEvents({ tokens }: Item, name: string, field: string): Generator<Content, void, undefined> {
  for (const delta of joined(tokens, INPUT_TOKENS_PER_DELTA)) yield [`${name}.delta`, { delta }];
  yield [`${name}.done`, { [field]: tokens.join("") }];
}
