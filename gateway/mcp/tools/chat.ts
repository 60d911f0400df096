import * as z from "zod";
import { unitSides } from "../../contract/units.ts";
import type { Receipt, UnitClass } from "../../contract/receipt.ts";
import { chatDialect } from "../../services/chat/dialects/chat.ts";
import { costLine, paidFields, getPaid } from "../tool/paid-fields.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { defineTool } from "../tool/tool.ts";
import type { Tool, ToolCall } from "../tool/tool.ts";
import { chatArguments, chatBody, chatInput } from "../chat/chat-arguments.ts";
import type { ChatArguments } from "../chat/chat-arguments.ts";
import { ChatResponse, streamedChat } from "../chat/streamed-chat.ts";
import { getMediaId } from "../media/own-media.ts";
import { Pictures, pictureUrl } from "../media/pictures.ts";

const tokens = z.int().nonnegative();

const output = z.object({
  text: z
    .string()
    .describe("The text of the completion; empty when the model refused or reasoning used up max_tokens."),
  model: z.string().describe("Id of the model that responded."),
  finish_reason: z
    .string()
    .nullable()
    .describe("stop: complete. length: stopped at max_tokens. content_filter: stopped by the provider."),
  refusal: z.string().nullable().describe("What the model wrote when it refused; null otherwise."),
  reasoning: z.string().optional().describe("The model's reasoning, where its provider shows it."),
  usage: z.object({
    input_tokens: tokens.describe("Input tokens, cached ones included."),
    output_tokens: tokens.describe("Output tokens, reasoning included."),
    cached_tokens: tokens.optional().describe("Input tokens read from the provider's cache, at a lower price."),
    reasoning_tokens: tokens.optional().describe("Output tokens used for reasoning."),
    estimated: z.boolean().describe("True when Postern estimated the counts because the provider gave none."),
  }),
  ...paidFields,
});

/** Asks a chat model, as `POST /v1/chat/completions` does. */
export function chatTool(deps: Pick<ToolDeps, "runChat" | "later" | "media">): Tool {
  return defineTool({
    name: "chat",
    title: "Ask a chat model",
    description:
      "Asks a chat model of any provider connected to Postern and returns its response: a second opinion, a stronger or " +
      "cheaper model, a question about images. The model sees only what is passed here: it has no tools and does not know " +
      "this conversation. Give `prompt` for one question, or `messages` for several turns and images. " +
      "Costs money per input and output token (list_models has the prices, quote estimates the most a call can cost); " +
      "set `max_tokens` to limit it. The result says what the call cost. Long responses report progress to clients that " +
      "ask for it. A cancelled call is cancelled at the provider too and costs what was generated until then.",
    input: chatArguments,
    output,
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    capability: "chat",
    async estimate(call, args) {
      const body = await getBody(deps, call, args, false);
      return deps.runChat.estimate(chatDialect, chatInput(call, body));
    },
    async run(call, args) {
      const body = await getBody(deps, call, args, call.progress.isRequested);
      const response = call.progress.isRequested
        ? await streamedChat(deps, call, body)
        : await wholeChat(deps, call, body);
      const { text, refusal, reasoning, finishReason } = response;
      const receipt = call.receipt();
      return {
        content: [
          { type: "text", text: shownText(response) },
          { type: "text", text: costLine(call) },
        ],
        structured: {
          text,
          model: receipt?.model ?? args.model,
          finish_reason: finishReason,
          refusal: refusal === "" ? null : refusal,
          ...(reasoning === "" ? {} : { reasoning }),
          usage: getUsage(receipt),
          ...getPaid(call),
        },
      };
    },
  });
}

/** Returns the request body with images of the library inlined. */
async function getBody(
  deps: Pick<ToolDeps, "media">,
  call: Pick<ToolCall, "input">,
  args: ChatArguments,
  stream: boolean,
): Promise<Record<string, unknown>> {
  if (args.messages === undefined) return chatBody(args, stream);
  return chatBody({ ...args, messages: await withPictures(deps, call, args.messages) }, stream);
}

async function wholeChat(
  { runChat }: Pick<ToolDeps, "runChat">,
  call: ToolCall,
  body: Readonly<Record<string, unknown>>,
): Promise<ChatResponse> {
  const response = await runChat.run(chatDialect, chatInput(call, body), call.client);
  const result = new ChatResponse();
  // Null: the client cancelled, and receives nothing more.
  if (response !== null && "document" in response) result.add(response.document);
  return result;
}

/** Formats the response for a model to read, including what is missing and the remedy. */
function shownText({ text, refusal, finishReason }: ChatResponse): string {
  if (text === "" && refusal !== "") return `The model refused: ${refusal}`;
  if (text === "") {
    return finishReason === "length"
      ? "The model wrote no text: reasoning used up max_tokens. Raise max_tokens, or lower reasoning_effort."
      : `The model wrote no text (finish_reason: ${finishReason ?? "none"}).`;
  }
  return finishReason === "length" ? `${text}\n\n[Stopped: max tokens reached.]` : text;
}

/** Returns usage by the receipt rather than the response: the billed figures, even if none was reported. */
function getUsage(receipt: Receipt | null) {
  const sum = (counts: (unit: UnitClass) => boolean): number =>
    (receipt?.terms ?? []).reduce((all, { unit, quantity }) => all + (counts(unit) ? quantity : 0), 0);
  const cached = sum((unit) => unit === "cached_input" || unit === "cached_audio_input");
  const reasoning = sum((unit) => unit === "reasoning");
  return {
    input_tokens: sum((unit) => unitSides[unit] === "input"),
    output_tokens: sum((unit) => unitSides[unit] === "output"),
    ...(cached === 0 ? {} : { cached_tokens: cached }),
    ...(reasoning === 0 ? {} : { reasoning_tokens: reasoning }),
    estimated: receipt?.estimated ?? false,
  };
}

type Message = NonNullable<ChatArguments["messages"]>[number];
type Part = Exclude<Message["content"], string>[number];

/**
 * Inlines library pictures in messages, because providers cannot fetch `postern://media/{id}`. Other URLs stay.
 * @throws GatewayError not_found for results of other keys, invalid_value for anything but a picture, request_too_large
 */
async function withPictures(
  deps: Pick<ToolDeps, "media">,
  call: Pick<ToolCall, "input">,
  messages: readonly Message[],
): Promise<Message[]> {
  const pictures = new Pictures(deps, call.input.key);
  const filled: Message[] = [];
  // Messages are read one at a time: together they would fill memory before their size is known.
  for (const [turn, message] of messages.entries()) {
    const { content } = message;
    filled.push(
      typeof content === "string"
        ? message
        : { ...message, content: await getParts(pictures, content, `messages[${turn}].content`) },
    );
  }
  return filled;
}

async function getParts(pictures: Pictures, parts: readonly Part[], field: string): Promise<Part[]> {
  const filled: Part[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.type === "text" || getMediaId(part.image_url.url) === null) {
      filled.push(part);
      continue;
    }
    const picture = await pictures.read(part.image_url.url, `${field}[${index}].image_url.url`);
    filled.push({ ...part, image_url: { ...part.image_url, url: pictureUrl(picture) } });
  }
  return filled;
}
