import { setImmediate as nextTurn } from "node:timers/promises";
import { writeCamelCase } from "../../codecs/gemini-to-chat/camel-case.ts";
import { readGeminiAddress } from "../../contract/gemini-address.ts";
import { isRecord } from "../../lib/records.ts";
import { geminiCount } from "../../services/chat/count-tokens.ts";
import type { CountTokens } from "../../services/chat/count-tokens.ts";
import { geminiDialect } from "../../services/chat/dialects/gemini.ts";
import type { ChatInput, RunChat } from "../../services/chat/run-chat.ts";
import { GOOGLE_BATCH, GOOGLE_ONE } from "../../services/embeddings/embedding-list.ts";
import { readGoogleEmbeddings } from "../../services/embeddings/google-embeddings.ts";
import type { RunEmbeddings } from "../../services/embeddings/run-embeddings.ts";
import type { RunImages } from "../../services/images/run-images.ts";
import type { ListModels } from "../../services/models/list-models.ts";
import { createRecipient } from "../call-input.ts";
import { JsonArrayRecipient } from "../json-array-recipient.ts";
import type { Context } from "../state.ts";
import { converse, countTokens, createChatInput, draw, embed } from "./calls.ts";

export interface GeminiDeps {
  readonly runChat: RunChat;
  readonly countTokens: CountTokens;
  readonly runEmbeddings: RunEmbeddings;
  readonly runImages: RunImages;
  readonly listModels: ListModels;
}

/** Model operations of Google's dialect. HTTP adapter of services. */
export function createGeminiRoutes({
  runChat,
  countTokens: counter,
  runEmbeddings,
  runImages,
  listModels,
}: GeminiDeps) {
  const chat = { runChat, dialect: geminiDialect };
  const createEmbed = (isBatch: boolean) =>
    function embedContents(context: Context): Promise<void> {
      const body = readGoogleEmbeddings(readModel(context), readBody(context), isBatch);
      // A recording stores the request in the format in which it can be replayed.
      context.state.raw = Buffer.from(JSON.stringify(body));
      return embed(context, runEmbeddings, body, isBatch ? GOOGLE_BATCH : GOOGLE_ONE);
    };
  return {
    async generate(context: Context): Promise<void> {
      const input = await createInput(context);
      if (!listModels.isForImages(readModel(context))) return converse(context, chat, input);
      return draw(context, runImages, { ...input, raw: Buffer.from(JSON.stringify(input.body)) });
    },
    async stream(context: Context): Promise<void> {
      const to = createRecipient(context);
      const isEvents = context.query["alt"] === "sse";
      return converse(context, chat, await createInput(context, true), isEvents ? to : new JsonArrayRecipient(to));
    },
    async count(context: Context): Promise<void> {
      await countTokens(context, counter, geminiCount, await createInput(context));
    },
    embed: createEmbed(false),
    embedBatch: createEmbed(true),
  };
}

const readModel = ({ path }: Context): string => readGeminiAddress(path)?.model ?? "";

/** The body in one spelling. @throws GatewayError for fields in two */
function readBody({ state: { body } }: Context): unknown {
  return isRecord(body) ? writeCamelCase(body) : body;
}

/** Bytes above which names are checked in one event loop turn, and everything else in others. */
const LARGE_BYTES = 128 * 1024;

/** Values of the address go before those of the body. */
async function createInput(context: Context, streams = false): Promise<ChatInput> {
  const input = createChatInput(context, false);
  const body = readBody(context);
  if (input.raw.length > LARGE_BYTES) await nextTurn();
  if (!isRecord(body)) return input;
  const { model, stream, ...own } = body;
  const isTold = model === undefined && stream === undefined;
  return {
    ...input,
    raw: isTold ? input.raw : Buffer.from(JSON.stringify(own)),
    body: { ...own, model: readModel(context), ...(streams ? { stream: true } : {}) },
  };
}
