import type { WireAct, WireProvider, WireSeen } from "../../../support/wire-provider.ts";
import { reply, replyEvents } from "../../../support/wire-provider.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * OpenAI's reasoning models as public reports describe them (BerriAI/litellm#34569, danny-avila/LibreChat#14231,
 * charmbracelet/crush#2913, openai/openai-openapi#541, alvinunreal/tmuxai#82): chat completions refuse functions, and
 * `/responses` refuses what it does not know. It calls a tool first, and wants its reasoning back with the result.
 */
export function serveStrictOpenAi(wire: WireProvider): void {
  wire.on("POST /v1/chat/completions", chat).on("POST /v1/responses", responses);
}

/** The same for an organisation that is not verified (https://github.com/OpenHands/OpenHands/issues/11527). */
export function refuseSummaries(wire: WireProvider): void {
  const sentence = "Your organization must be verified to generate reasoning summaries.";
  const refusal = refuse(400, sentence, "reasoning.summary", "unsupported_value");
  wire.on("POST /v1/responses", (seen, outgoing) => {
    const { summary } = ((seen.json as Json)["reasoning"] ?? {}) as Json;
    return (summary === undefined ? responses : refusal)(seen, outgoing);
  });
}

/** The same where no reasoning can be decrypted (https://github.com/openai/codex/issues/8145). */
export function refuseReasoning(wire: WireProvider): void {
  const sentence = "The encrypted content gAAA...DQ== could not be verified.";
  const error = { message: sentence, type: "invalid_request_error", param: null, code: "invalid_encrypted_content" };
  wire.on("POST /v1/responses", (seen, outgoing) => {
    const { input } = seen.json as { readonly input: readonly Json[] };
    return (input.some(({ type }) => type === "reasoning") ? reply(400, { error }) : whole)(seen, outgoing);
  });
}

const WITHOUT_NONE = /^(gpt-6-astra|gpt-6\.1-sol|gpt-6\.2-)/;

function refuse(status: number, message: string, param: string, code: string | null = null): WireAct {
  return reply(status, { error: { message, type: "invalid_request_error", param, code } });
}

const chat: WireAct = (seen, outgoing) => {
  const body = seen.json as Json;
  const model = String(body["model"]);
  const effort = body["reasoning_effort"];
  const hasTools = Array.isArray(body["tools"]) && body["tools"].length > 0;
  const refusal = (): WireAct | null => {
    if (/-(pro|codex)(-|$)/.test(model))
      return refuse(404, "This model is only supported in v1/responses and not in v1/chat/completions.", "model");
    if (effort === "none" && WITHOUT_NONE.test(model))
      return refuse(400, "Unsupported value: 'none'", "reasoning_effort", "unsupported_value");
    const isLate = /^gpt-(5\.6|6)/.test(model);
    const isEarly = /^gpt-5\.[45]/.test(model);
    const isRefused = (isLate && effort !== "none") || (isEarly && effort !== undefined && effort !== "none");
    return hasTools && isRefused
      ? refuse(400, `Function tools with reasoning_effort are not supported for ${model}`, "reasoning_effort")
      : null;
  };
  const completion = {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [
      { index: 0, message: { role: "assistant", content: "From chat.", refusal: null }, finish_reason: "stop" },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
  };
  return (refusal() ?? reply(200, completion))(seen, outgoing);
};

const FIELDS = new Set(
  (
    "model input stream store include max_output_tokens reasoning text tools tool_choice parallel_tool_calls user " +
    "metadata service_tier prompt_cache_key safety_identifier temperature top_p instructions"
  ).split(" "),
);
export const ENCRYPTED = "gAAAAABqX1a78BDqk/J4uGoxtDucvs8h==";

const responses: WireAct = (seen, outgoing) => {
  const body = seen.json as Json;
  const wrong = wrongIn(body);
  if (wrong !== null) return refuse(400, wrong[1], wrong[0], "unknown_parameter")(seen, outgoing);
  return (body["stream"] === true ? streamed : whole)(seen, outgoing);
};

function wrongIn(body: Json): readonly [param: string, message: string] | null {
  for (const field of Object.keys(body)) if (!FIELDS.has(field)) return [field, `Unknown parameter: '${field}'.`];
  const { effort } = (body["reasoning"] ?? {}) as Json;
  if (effort === "none" && WITHOUT_NONE.test(String(body["model"]))) return ["reasoning.effort", "Unsupported value"];
  if ((body["max_output_tokens"] ?? 16) < (16 as unknown as object)) return ["max_output_tokens", "below minimum"];
  for (const tool of (body["tools"] ?? []) as readonly Json[]) {
    if (tool["type"] !== "function" || typeof tool["name"] !== "string") return ["tools", "Missing 'tools[0].name'."];
    if (tool["strict"] !== false) return ["tools", "A loose schema would become strict."];
  }
  const items = body["input"] as readonly Json[];
  for (const [index, { type, call_id, encrypted_content }] of items.entries()) {
    if (type === "message") continue;
    if (type === "reasoning") {
      if (encrypted_content !== ENCRYPTED) return ["input", "The encrypted content could not be verified."];
      if (items[index + 1]?.["type"] !== "function_call")
        return ["input", "'reasoning' was provided without its required following item."];
    } else if (type === "function_call") {
      if (items[index - 1]?.["type"] !== "reasoning") return ["input", "The reasoning of this call did not come back."];
    } else if (type === "function_call_output") {
      if (!items.slice(0, index).some((item) => item["call_id"] === call_id))
        return ["input", `No tool call found for function call output with call_id ${String(call_id)}.`];
    } else return ["input", `Unknown item ${String(type)}`];
  }
  return null;
}

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 30 },
  total_tokens: 150,
};

const REASONING = {
  type: "reasoning",
  id: "rs_0123456789abcdef",
  summary: [{ type: "summary_text", text: "I look into the folder." }],
  encrypted_content: ENCRYPTED,
};
const CALL = {
  type: "function_call",
  id: "fc_1",
  status: "completed",
  call_id: "call_1",
  name: "Bash",
  arguments: '{"command":"ls"}',
};
const MESSAGE = {
  type: "message",
  id: "msg_1",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "There is one file.", annotations: [], logprobs: [] }],
};

function outputFor({ json }: WireSeen): readonly Json[] {
  const { input, tools } = json as { readonly input: readonly Json[]; readonly tools?: readonly Json[] };
  const isAnswered = input.at(-1)?.["type"] === "function_call_output" || tools === undefined;
  return isAnswered ? [MESSAGE] : [REASONING, CALL];
}

function responseOf(seen: WireSeen, status: string, output: readonly Json[], usage: Json | null): Json {
  const { model } = seen.json as Json;
  return { id: "resp_1", object: "response", created_at: 1, status, error: null, model, output, usage };
}

const whole: WireAct = (seen, outgoing) =>
  reply(200, responseOf(seen, "completed", outputFor(seen), USAGE))(seen, outgoing);

const streamed: WireAct = (seen, outgoing) => {
  const output = outputFor(seen);
  const events: Json[] = [
    { type: "response.created", response: responseOf(seen, "in_progress", [], null) },
    { type: "response.in_progress", response: responseOf(seen, "in_progress", [], null) },
    ...output.flatMap(eventsOf),
    { type: "response.completed", response: responseOf(seen, "completed", output, USAGE) },
  ];
  const frames = events.map(
    (event, sequence_number) =>
      `event: ${String(event["type"])}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
  );
  return replyEvents(...frames)(seen, outgoing);
};

function eventsOf(item: Json, output_index: number): readonly Json[] {
  const at = { item_id: item["id"], output_index };
  const added = (empty: Json): Json => ({ type: "response.output_item.added", output_index, item: empty });
  const done = { type: "response.output_item.done", output_index, item };
  if (item === REASONING)
    return [
      added({ ...item, summary: [], encrypted_content: "" }),
      { type: "response.reasoning_summary_part.added", ...at, summary_index: 0 },
      { type: "response.reasoning_summary_text.delta", ...at, summary_index: 0, delta: "I look into " },
      { type: "response.reasoning_summary_text.delta", ...at, summary_index: 0, delta: "the folder." },
      done,
    ];
  if (item === CALL)
    return [
      added({ ...item, arguments: "", status: "in_progress" }),
      { type: "response.function_call_arguments.delta", ...at, delta: '{"command":', obfuscation: "x" },
      { type: "response.function_call_arguments.delta", ...at, delta: '"ls"}' },
      { type: "response.function_call_arguments.done", ...at, arguments: CALL.arguments },
      done,
    ];
  return [
    added({ ...item, content: [] }),
    { type: "response.content_part.added", ...at, content_index: 0 },
    { type: "response.output_text.delta", ...at, content_index: 0, delta: "There is ", logprobs: [] },
    { type: "response.output_text.delta", ...at, content_index: 0, delta: "one file.", logprobs: [] },
    { type: "response.output_text.done", ...at, content_index: 0, text: "There is one file." },
    done,
  ];
}
