import { isMessagesHeader } from "../../core/chat/messages-headers.ts";
import { releaseBuffer, shareBuffer } from "../../lib/body-memory.ts";
import { ClientCancelled } from "../../services/calls/attempts.ts";
import type { CountTokens, CountedDialect } from "../../services/chat/count-tokens.ts";
import type { ChatResponse } from "../../services/chat/chat-plan.ts";
import type { Dialect } from "../../services/chat/dialect.ts";
import type { ChatInput, RunChat } from "../../services/chat/run-chat.ts";
import type { Recipient } from "../../services/calls/client.ts";
import { callInput, createRecipient, sendWhole } from "../call-input.ts";
import { HttpReply } from "../http-reply.ts";
import type { Context } from "../state.ts";
import type { RunEmbeddings } from "../../services/embeddings/run-embeddings.ts";
import type { SynthesizeSpeech } from "../../services/speech/synthesize-speech.ts";
import type { TranscriptionTask } from "../../core/transcription/transcription-rules.ts";
import type { Moderate } from "../../services/moderations/moderate.ts";
import { readSoundForm } from "../../services/transcription/read-sound-form.ts";
import type { Transcribe } from "../../services/transcription/transcribe.ts";
import { getFamilyOfImages } from "../../services/images/run-images.ts";
import type { RunImages } from "../../services/images/run-images.ts";
import type { EditImages } from "../../services/edits/edit-images.ts";
import type { FormPart } from "../../services/edits/form-part.ts";
import { readDocument } from "../../services/edits/read-document.ts";
import { readForm } from "../../services/edits/read-form.ts";

/** Providers of other dialects get no extra headers. */
const NONE: Readonly<Record<string, string>> = {};

/**
 * `POST /v1/chat/completions`, `/v1/messages` and `/v1/responses`. HTTP adapter of services/chat/run-chat.ts.
 */
export function createConversationRoute(runChat: RunChat, dialect: Dialect) {
  return (context: Context): Promise<void> =>
    converse(context, { runChat, dialect }, createChatInput(context, dialect.name === "messages"));
}

/**
 * Runs a conversation.
 * @param to destination of a stream; by default the client
 * @param write converts a complete response; by default it stays
 */
export function converse(
  context: Context,
  { runChat, dialect }: { readonly runChat: RunChat; readonly dialect: Dialect },
  input: ChatInput,
  to: Recipient = createRecipient(context),
  write: (response: ChatResponse | null) => Concluded = (response) => response,
): Promise<void> {
  shareBuffer(input.raw);
  return runChat.run(dialect, input, to).then((response) => conclude(context, input, write(response)));
}

type Concluded = Parameters<typeof sendWhole>[1];

/** @param response null if its client disconnected, when a provider may still be being written to */
function conclude(context: Context, { raw }: ChatInput, response: Concluded): void {
  sendWhole(context, response);
  if (response !== null) releaseBuffer(raw);
}

/** `POST /v1/messages/count_tokens` and `/v1/responses/input_tokens`. */
export function createCountRoute(service: CountTokens, dialect: CountedDialect) {
  return (context: Context): Promise<void> =>
    countTokens(context, service, dialect, createChatInput(context, dialect.name === "messages"));
}

/** Counts the tokens of a prompt. */
export async function countTokens(
  context: Context,
  service: CountTokens,
  dialect: CountedDialect,
  input: ChatInput,
): Promise<void> {
  try {
    context.body = await service.count(dialect, input, new HttpReply(context.res));
  } catch (error) {
    if (!(error instanceof ClientCancelled)) throw error;
    context.respond = false;
  }
}

/** Builds the input of a conversation from its request. */
export function createChatInput(context: Context, withHeaders: boolean): ChatInput {
  const { raw, body } = context.state;
  if (raw === null) throw new Error("the body comes first");
  return {
    ...callInput(context),
    raw,
    body,
    headers: withHeaders ? createDialectHeaders(context) : NONE,
    clientHeaders: context.req.headers,
  };
}

function createDialectHeaders(context: Context): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(context.req.headers)) {
    if (isMessagesHeader(name) && typeof value === "string") headers[name] = value;
  }
  return headers;
}

/** `POST /v1/embeddings`. HTTP adapter of services/embeddings/run-embeddings.ts. */
export function createEmbeddingsRoute(runEmbeddings: RunEmbeddings) {
  return (context: Context): Promise<void> => embed(context, runEmbeddings, context.state.body);
}

/** Embeds texts. @param body of `/v1/embeddings`. @param form of the response; by default OpenAI's */
export async function embed(
  context: Context,
  runEmbeddings: RunEmbeddings,
  body: unknown,
  form?: Parameters<RunEmbeddings["run"]>[3],
): Promise<void> {
  const { res } = context;
  const client = new HttpReply(res);
  const reply = await runEmbeddings.run(callInput(context), body, client, form);
  context.respond = false;
  if (reply === null || client.cancelled) return;
  const length = reply.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  res.writeHead(200, { ...reply.headers, "content-length": length });
  for (const chunk of reply.chunks) res.write(chunk);
  res.end();
}

/** `POST /v1/audio/speech`. HTTP adapter of services/speech/synthesize-speech.ts. */
export function createSpeechRoute(synthesizeSpeech: SynthesizeSpeech) {
  return async function audioSpeech(context: Context): Promise<void> {
    await synthesizeSpeech.run({ ...callInput(context), body: context.state.body }, createRecipient(context));
    context.respond = false;
  };
}

/** `POST /v1/audio/transcriptions` and `/v1/audio/translations`. The story is in services/transcription/transcribe.ts. */
export function createTranscriptionRoute(transcribe: Transcribe, task: TranscriptionTask) {
  return async function audioTranscription(context: Context): Promise<void> {
    const input = readSoundForm(context.state.body as readonly FormPart[]);
    sendWhole(context, await transcribe.run(callInput(context), task, input, createRecipient(context)));
  };
}

/** `POST /v1/moderations`. HTTP adapter of services/moderations/moderate.ts. */
export function createModerationsRoute(moderate: Moderate) {
  return async function moderations(context: Context): Promise<void> {
    const { raw, body } = context.state;
    if (raw === null) throw new Error("the body comes first");
    sendWhole(context, await moderate.run({ ...callInput(context), raw, body }, createRecipient(context)));
  };
}

/** `POST /v1/images/generations`. HTTP adapter of services/images/run-images.ts. */
export function createImagesRoute(runImages: RunImages) {
  return async function imageGenerations(context: Context): Promise<void> {
    const { state } = context;
    const { raw, body } = state;
    if (raw === null) throw new Error("the body comes first");
    state.family = getFamilyOfImages(body);
    await draw(context, runImages, { ...callInput(context), raw, body });
  };
}

/** Makes images. */
export async function draw(
  context: Context,
  runImages: RunImages,
  input: Parameters<RunImages["run"]>[0],
): Promise<void> {
  sendWhole(context, await runImages.run(input, createRecipient(context)));
}

/** `POST /v1/images/edits`: a form, or JSON. HTTP adapter of services/edits/edit-images.ts. */
export function createEditsRoute(editImages: EditImages) {
  return async function imageEdits(context: Context): Promise<void> {
    const { state } = context;
    // Only a JSON body is stored as bytes: a form's bytes are in its parts.
    const edit = state.raw === null ? readForm(state.body as readonly FormPart[]) : readDocument(state.body);
    sendWhole(context, await editImages.run(callInput(context), edit, createRecipient(context)));
  };
}
