import { setImmediate as nextTurn } from "node:timers/promises";
import { buildChatBody, buildChatOfPrompt, buildCompletion } from "../../codecs/ollama-to-chat/request.ts";
import { OllamaStream, buildLoaded, buildOllamaResponse } from "../../codecs/ollama-to-chat/response.ts";
import type { OllamaRequest } from "../../codecs/ollama-to-chat/response.ts";
import { LONGEST_CHAT_NAME, ToolNames } from "../../codecs/messages-to-chat/tool-names.ts";
import type { Document } from "../../codecs/translation.ts";
import {
  ollamaChatSchema,
  ollamaEmbedSchema,
  ollamaEmbeddingsSchema,
  ollamaGenerateSchema,
  ollamaShowSchema,
} from "../../contract/ollama.ts";
import { GatewayError } from "../../core/errors.ts";
import { validate } from "../../core/validation.ts";
import type { Clock } from "../../lib/clock.ts";
import { randomBase62 } from "../../lib/ids.ts";
import { asList, isRecord } from "../../lib/records.ts";
import type { ChatResponse } from "../../services/chat/chat-plan.ts";
import type { Dialect } from "../../services/chat/dialect.ts";
import { chatDialect } from "../../services/chat/dialects/chat.ts";
import { completionsDialect } from "../../services/chat/dialects/completions.ts";
import type { RunChat } from "../../services/chat/run-chat.ts";
import { createOllamaList } from "../../services/embeddings/embedding-list.ts";
import type { RunEmbeddings } from "../../services/embeddings/run-embeddings.ts";
import type { ListModels } from "../../services/models/list-models.ts";
import { createRecipient, getKey } from "../call-input.ts";
import { OllamaRecipient } from "../ollama-recipient.ts";
import type { Context } from "../state.ts";
import { converse, createChatInput, embed } from "./calls.ts";

export interface OllamaDeps {
  readonly clock: Clock;
  readonly runChat: RunChat;
  readonly runEmbeddings: RunEmbeddings;
  readonly listModels: ListModels;
}

/** Version of Ollama whose API this is: some clients refuse servers older than the features they use. */
const VERSION = "0.33.0";

/** Body bytes above which checking, translating and running take a turn of the event loop each. */
const LARGE_BYTES = 128 * 1024;

const SHAPES = {
  chat: {
    check: (body: unknown): Document => validate(ollamaChatSchema, body),
    isEmpty: (body: Document): boolean => asList(body["messages"]).length === 0,
  },
  generate: {
    check: (body: unknown): Document => validate(ollamaGenerateSchema, body),
    isEmpty: (body: Document): boolean => (body["prompt"] ?? "") === "",
  },
} as const;

/** A request in the dialect in which it runs. */
interface Prepared {
  readonly dialect: Dialect;
  readonly body: Document;
  readonly request: OllamaRequest;
}

/**
 * Ollama's API. Conversations run as chat completions, code with a suffix as completions, and so receipts and recordings
 * show them.
 */
export function createOllamaRoutes({ clock, runChat, runEmbeddings, listModels }: OllamaDeps) {
  const createElapsed =
    ({ state: { arrivedAt } }: Context) =>
    (): number =>
      Math.round((clock.monotonic() - arrivedAt) * 1e6);

  async function createRequest(context: Context, shape: keyof typeof SHAPES, body: Document): Promise<OllamaRequest> {
    const { name, spec } = await listModels.findForOllama(getKey(context), String(body["model"]));
    const now = clock.now();
    const newId = (): string => randomBase62(24);
    return {
      shape,
      facts: {
        context: { publicModel: name, model: spec, now: Math.floor(now / 1_000), newId },
        names: new ToolNames(LONGEST_CHAT_NAME),
        stopSequences: [],
      },
      hidesThinking: body["think"] === false,
      now: () => clock.now(),
      elapsed: createElapsed(context),
    };
  }

  /** @throws GatewayError for a bad body (400) */
  function prepare(body: Document, request: OllamaRequest): Prepared {
    const given = { ...body, stream: body["stream"] !== false };
    const chat = request.shape === "chat" ? given : buildChatOfPrompt(given);
    if (request.shape === "generate" && typeof body["suffix"] === "string" && body["suffix"] !== "") {
      const completion = buildCompletion(given, request.facts.context.publicModel);
      return { dialect: completionsDialect, body: completion, request };
    }
    return { dialect: chatDialect, body: buildChatBody(chat, request.facts), request };
  }

  const createConverse = (shape: keyof typeof SHAPES) =>
    async function converseInOllama(context: Context): Promise<void> {
      const { state } = context;
      const { check, isEmpty } = SHAPES[shape];
      const isLarge = (state.raw?.length ?? 0) > LARGE_BYTES;
      const given = isRecord(state.body) ? state.body : {};
      const request = await createRequest(context, shape, given);
      if (isLarge) await nextTurn();
      let prepared: Prepared;
      try {
        const checked = check(state.body);
        if (isEmpty(checked)) {
          // A model that the key does not have is refused as in a call.
          await listModels.one(getKey(context), request.facts.context.publicModel, "ollamaShow");
          context.body = buildLoaded(request, checked["keep_alive"]);
          return;
        }
        if (isLarge) await nextTurn();
        prepared = prepare(checked, request);
      } catch (refusal) {
        if (!(refusal instanceof GatewayError)) throw refusal;
        return refuse(context, given["model"], refusal);
      }
      return runConversation(context, prepared);
    };

  /** Refuses a request within its call, so that it has a receipt. */
  function refuse(context: Context, model: unknown, refusal: GatewayError): Promise<void> {
    const body = { model, messages: [{ role: "user", content: "" }] };
    return converse(context, { runChat, dialect: chatDialect }, { ...createChatInput(context, false), body, refusal });
  }

  function runConversation(context: Context, { dialect, body, request }: Prepared): Promise<void> {
    const to = new OllamaRecipient(createRecipient(context), new OllamaStream(request), dialect);
    // A recording stores the request in the form in which it can be replayed.
    context.state.raw = Buffer.from(JSON.stringify(body));
    context.state.body = body;
    const input = { ...createChatInput(context, false), events: (chunk: Document) => to.take(chunk) };
    const write = (response: ChatResponse | null) => {
      if (response === null || !("document" in response)) return response;
      const { status, headers, document } = response;
      return { status, headers, body: Buffer.from(JSON.stringify(buildOllamaResponse(document, request))) };
    };
    return converse(context, { runChat, dialect: to.dialect }, input, to, write);
  }

  const createEmbed = (isOld: boolean) =>
    async function embedInOllama(context: Context): Promise<void> {
      const { state } = context;
      const checked: Document = isOld
        ? validate(ollamaEmbeddingsSchema, state.body)
        : validate(ollamaEmbedSchema, state.body);
      const { name } = await listModels.findForOllama(getKey(context), String(checked["model"]));
      const body = {
        model: name,
        input: checked["input"] ?? checked["prompt"],
        encoding_format: "float",
        ...(checked["dimensions"] == null ? {} : { dimensions: checked["dimensions"] }),
      };
      state.raw = Buffer.from(JSON.stringify(body));
      return embed(context, runEmbeddings, body, createOllamaList(isOld, createElapsed(context)));
    };

  return {
    chat: createConverse("chat"),
    generate: createConverse("generate"),
    embed: createEmbed(false),
    embeddings: createEmbed(true),
    async tags(context: Context): Promise<void> {
      context.body = await listModels.ollama(getKey(context));
    },
    async show(context: Context): Promise<void> {
      const { model, name } = validate(ollamaShowSchema, context.state.body);
      const found = await listModels.findForOllama(getKey(context), model ?? name ?? "");
      context.body = await listModels.one(getKey(context), found.name, "ollamaShow");
    },
    running(context: Context): void {
      context.body = { models: [] };
    },
    version(context: Context): void {
      context.body = { version: VERSION };
    },
    /** The text that Ollama's clients see at the base URL; here for a base URL with the key in it. */
    greet(context: Context): void {
      context.body = "Ollama is running";
    },
    refuseStorage({ path }: Context): never {
      throw new GatewayError(
        "unknown_url",
        `Postern has no models of its own, so that ${path.slice(0, 100)} does nothing here. Connect a provider on the page Providers, or pull models with Ollama itself and connect that.`,
      );
    },
  };
}
