import type { Units } from "../../core/models/model.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { carry } from "../carried-thinking.ts";
import { findCalled } from "../messages-to-chat/called.ts";
import { readMessage } from "../messages-to-chat/spoken.ts";
import type { Document } from "../translation.ts";
import { keepResponse, type ResponsesContext } from "./item-memory.ts";
import { CallIds, callPiece, readItemId, readItem, type Piece } from "./pieces.ts";
import type { ChatRequest } from "./request.ts";
import { readEnding, writeEnding, readEnvelope, readUsage } from "./response.ts";

/** A whole chat completion as a response. */
export function readResponse(
  completion: Document,
  request: Document,
  chat: ChatRequest,
  context: ResponsesContext,
  units: Units,
): Document {
  const envelope = readEnvelope(request, context);
  const choice = firstChoice(completion);
  const ending = readEnding(choice);
  const callIds = new CallIds(context.newId);
  const drafts = readDrafts(isRecord(choice["message"]) ? choice["message"] : {}, choice["logprobs"]);
  const output = drafts.map((draft, index) => {
    const piece = draft(chat, callIds);
    const status = index === drafts.length - 1 ? ending.status : "completed";
    return readItem(piece, readItemId(piece, context.newId), status);
  });
  const response = { ...envelope, ...writeEnding(ending, context), output, usage: readUsage(units) };
  keepResponse(response, request, context);
  return response;
}

/** Returns the first choice: only one is requested. */
export function firstChoice(document: Document): Document {
  const [choice] = asList(document["choices"]).filter(isRecord);
  return choice ?? {};
}

/** Log probabilities of a choice or a chunk, which have the same shape in both dialects. */
export function findLogprobs(logprobs: unknown): readonly unknown[] {
  return isRecord(logprobs) ? asList(logprobs["content"]) : [];
}

type Draft = (chat: ChatRequest, callIds: CallIds) => Piece;

function readDrafts(message: Document, logprobs: unknown): readonly Draft[] {
  const drafts: Draft[] = [];
  const { thinking, carried, text, refusal } = readMessage(message);
  if (thinking !== "" || carry(carried) !== "") drafts.push(() => ({ kind: "reasoning", text: thinking, carried }));
  if (text !== "") drafts.push(() => ({ kind: "text", text, logprobs: findLogprobs(logprobs) }));
  if (refusal !== "") drafts.push(() => ({ kind: "refusal", text: refusal }));
  for (const call of findCalled(message)) {
    const { name } = call;
    // No client could run a call without a name.
    if (name === null) continue;
    drafts.push((chat, callIds) => callPiece(chat.toolIndex, name, call.arguments, callIds.readId(call)));
  }
  return drafts;
}
