import { isRecord } from "../../lib/records.ts";
import {
  type CallPlan,
  type ChoicePlan,
  INPUT_TOKENS_PER_DELTA,
  joined,
  type Plan,
  REASONING_TOKENS_PER_DELTA,
} from "../conversation/plan.ts";
import type { Fields } from "../fields.ts";
import type { ResponsesRequest } from "./request.ts";
import type { Seed } from "../seed.ts";

/** One item of the output in all its states. */
interface Item {
  readonly kind: "reasoning" | "message" | "function_call" | "custom_tool_call";
  readonly id: string;
  /** What it says, in tokens. */
  readonly tokens: readonly string[];
  /** Of a message: the log probabilities of a part of it. */
  readonly logprobs: (tokens: readonly string[]) => readonly unknown[];
  /** As it is shown, holding `text`. */
  body(text: string, status: "in_progress" | "completed" | "incomplete"): object;
}

/** The items of the response, in order. */
export function itemsOf(request: ResponsesRequest, plan: Plan, seed: Seed): readonly Item[] {
  const [choice] = plan.choices;
  if (choice === undefined) return [];
  const id = (prefix: string, place: string): string => `${prefix}_${seed.digits(place, 48)}`;
  return [
    ...(choice.reasoning.length > 0 ? [reasoningItem(choice, id("rs", "reasoning"), request.summaries)] : []),
    ...(choice.content.length > 0 ? [messageItem(choice, id("msg", "message"))] : []),
    ...choice.calls.map((call, index) => callItem(call, (prefix) => id(prefix, `item ${index}`))),
  ];
}

const NO_LOGPROBS = (): readonly unknown[] => [];

/** Without summaries the reasoning is there, but says nothing. */
function reasoningItem(choice: ChoicePlan, id: string, summaries: boolean): Item {
  return {
    kind: "reasoning",
    id,
    tokens: summaries ? choice.reasoning : [],
    logprobs: NO_LOGPROBS,
    body: (text) => ({ id, type: "reasoning", summary: text === "" ? [] : [{ type: "summary_text", text }] }),
  };
}

function messageItem(choice: ChoicePlan, id: string): Item {
  const logprobs = (tokens: readonly string[]): readonly unknown[] => choice.logprobs?.(tokens).content ?? [];
  return {
    kind: "message",
    id,
    tokens: choice.content,
    logprobs,
    body: (text, status) => {
      const part = textPart(text, logprobs(choice.content));
      return { id, type: "message", status, role: "assistant", content: status === "in_progress" ? [] : [part] };
    },
  };
}

function textPart(text: string, logprobs: readonly unknown[]): object {
  return { type: "output_text", text, annotations: [], logprobs };
}

function callItem({ id: callId, tool, input }: CallPlan, id: (prefix: string) => string): Item {
  const custom = tool.kind === "custom";
  const itemId = id(custom ? "ctc" : "fc");
  const kind = custom ? "custom_tool_call" : "function_call";
  const named = { name: tool.name, ...(tool.namespace === null ? {} : { namespace: tool.namespace }) };
  return {
    kind,
    id: itemId,
    tokens: input,
    logprobs: NO_LOGPROBS,
    body: (text, status) => ({
      id: itemId,
      type: kind,
      status,
      call_id: `call_${callId}`,
      ...named,
      [custom ? "input" : "arguments"]: text,
    }),
  };
}

/** The response object before it is complete. */
export function openResponse(request: ResponsesRequest, plan: Plan, seed: Seed): object {
  const { body } = request;
  const reasoning = isRecord(body["reasoning"]) ? body["reasoning"] : {};
  const text = isRecord(body["text"]) ? body["text"] : {};
  return {
    id: `resp_${seed.digits("id", 48)}`,
    object: "response",
    created_at: plan.created,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body["instructions"] ?? null,
    max_output_tokens: request.maxTokens,
    max_tool_calls: body["max_tool_calls"] ?? null,
    model: plan.model,
    output: [],
    parallel_tool_calls: request.parallelCalls,
    previous_response_id: null,
    prompt_cache_key: body["prompt_cache_key"] ?? null,
    reasoning: { effort: reasoning["effort"] ?? null, summary: reasoning["summary"] ?? null },
    safety_identifier: body["safety_identifier"] ?? null,
    service_tier: "default",
    store: body["store"] ?? true,
    temperature: body["temperature"] ?? 1,
    text: { ...text, format: text["format"] ?? { type: "text" } },
    tool_choice: body["tool_choice"] ?? "auto",
    tools: body["tools"] ?? [],
    top_logprobs: request.topLogprobs ?? 0,
    top_p: body["top_p"] ?? 1,
    truncation: body["truncation"] ?? "disabled",
    usage: null,
    user: body["user"] ?? null,
    metadata: body["metadata"] ?? {},
  };
}

/** The status of each item, and of the whole: only the last one can be cut off. */
function statusOf(plan: Plan): "completed" | "incomplete" {
  return plan.choices[0]?.finish === "length" ? "incomplete" : "completed";
}

/** The response object at the end. */
export function closedResponse(open: object, plan: Plan, items: readonly Item[]): Fields {
  const status = statusOf(plan);
  return {
    ...open,
    status,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    output: items.map((item, index) =>
      item.body(item.tokens.join(""), index === items.length - 1 ? status : "completed"),
    ),
    usage: {
      input_tokens: plan.usage.prompt,
      input_tokens_details: { cached_tokens: plan.usage.cached, cache_write_tokens: 0 },
      output_tokens: plan.usage.completion,
      output_tokens_details: { reasoning_tokens: plan.usage.reasoning },
      total_tokens: plan.usage.prompt + plan.usage.completion,
    },
  };
}

type Event = Readonly<Record<string, unknown>>;

/** The streamed response: the events of the Responses API in OpenAI's order (docs/providers/openai.md#responses). */
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
