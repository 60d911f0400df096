import * as z from "zod";
import { ControlError, UnreachableError } from "../../../../api/client.ts";
import type { CallFault } from "../../../../api/v1/call-facts.ts";
import { readPicture, type Picture } from "../../pictures/picture.ts";
import type { Chat } from "../chat-memory.ts";
import type { Conversation, Lane, Step, Turn } from "../conversation.ts";

/** Entry of a conversation in the list, and the text for its search. */
export interface ChatSummary {
  readonly id: string;
  /** Never empty. */
  readonly title: string;
  /** Unix milliseconds of its last change. */
  readonly at: number;
  /** Approximate size of pictures and text, which the total limit counts. */
  readonly bytes: number;
  /** Questions and responses in lower case, cut if they are very long. */
  readonly words: string;
}

const TITLE_LENGTH = 80;
const WORDS_LENGTH = 20_000;

/** Max stored conversations and total size: beyond it the oldest are deleted. */
const MOST_CHATS = 200;
const MOST_BYTES = 200_000_000;

export function summarize(chat: Chat, at: number): ChatSummary {
  const { conversation } = chat;
  const texts = conversation.flatMap(({ text, lanes }) => [
    text,
    ...lanes.flatMap(({ steps }) => steps.map((step) => step.text)),
  ]);
  const bytes = everyTurn(conversation).flatMap(({ pictures, lanes, text }) => [
    text.length,
    ...pictures.map(({ file }) => file.size),
    ...lanes.flatMap(({ steps }) => steps.map((step) => step.text.length + step.reasoning.length)),
  ]);
  return {
    id: chat.id,
    title: getTitle(chat),
    at,
    bytes: bytes.reduce((sum, each) => sum + each, 0),
    words: texts.join("\n").toLowerCase().slice(0, WORDS_LENGTH),
  };
}

/** Returns the owner's title, else the first line of the first question. */
export function getTitle({ title, conversation }: Pick<Chat, "title" | "conversation">): string {
  const first = conversation[0];
  const line = title.trim() || (first?.text.trim().split("\n")[0] ?? "") || (first?.pictures[0]?.name ?? "");
  return line === "" ? "…" : line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH - 1)}…`;
}

const everyTurn = (conversation: Conversation): readonly Turn[] =>
  conversation.flatMap((turn) => [turn, ...(turn.forks ?? []).flatMap(everyTurn)]);

/** Returns the conversations over the limit: the oldest, until the rest is few and small enough. The newest always stays. */
export function beyondBound(summaries: readonly ChatSummary[]): readonly string[] {
  let bytes = 0;
  return summaries
    .toSorted((a, b) => b.at - a.at)
    .filter((summary, index) => {
      bytes += summary.bytes;
      return index > 0 && (index >= MOST_CHATS || bytes > MOST_BYTES);
    })
    .map(({ id }) => id);
}

/** Returns the conversations that have every word of the search in title or text, newest first. */
export function searchChats(summaries: readonly ChatSummary[], typed: string): readonly ChatSummary[] {
  const words = typed.toLowerCase().split(/\s+/);
  return summaries
    .filter(({ title, words: text }) =>
      words.every((word) => text.includes(word) || title.toLowerCase().includes(word)),
    )
    .toSorted((a, b) => b.at - a.at);
}

/** A picture without its data URL, which is made again of its file. */
type StoredPicture = Omit<Picture, "url" | "id">;
type StoredTurn = Omit<Turn, "pictures" | "forks"> & {
  readonly pictures: readonly StoredPicture[];
  readonly forks?: readonly (readonly StoredTurn[])[];
};

/** A conversation as the browser's database keeps it: plain objects, and files. */
export interface StoredChat extends Omit<Chat, "conversation"> {
  readonly version: 1;
  readonly turns: readonly StoredTurn[];
}

export function packChat({ conversation, ...chat }: Chat): StoredChat {
  return { ...chat, version: 1, turns: conversation.map(packedTurn) };
}

function packedTurn({ forks, pictures, lanes, ...turn }: Turn): StoredTurn {
  return {
    ...turn,
    pictures: pictures.map(({ name, file }) => ({ name, file })),
    lanes: lanes.map((lane) => changeSteps(lane, (step) => ({ ...step, fault: step.fault && plainFault(step.fault) }))),
    ...(forks !== undefined && { forks: forks.map((way) => way.map(packedTurn)) }),
  };
}

const changeSteps = (lane: Lane, make: (step: Step) => Step): Lane => ({ ...lane, steps: lane.steps.map(make) });

/** Converts a fault to plain data, because a database does not store classes. */
function plainFault({ error, code }: CallFault): CallFault {
  if (error instanceof UnreachableError) return { error: { unreachable: true }, code };
  return { error: error instanceof ControlError ? error.message : String(error), code };
}

/** Enough to distinguish a conversation from data that another version may have left. */
const storedSchema = z.looseObject({
  version: z.literal(1),
  id: z.string(),
  title: z.string(),
  models: z.array(z.string()).min(1),
  turns: z.array(z.looseObject({ id: z.string(), text: z.string(), lanes: z.array(z.unknown()).min(1) })),
});

/** Decodes a stored conversation: steps that ran when it was written count as stopped. Null if it is invalid. */
export async function unpackChat(stored: unknown): Promise<Chat | null> {
  if (!storedSchema.safeParse(stored).success) return null;
  const { version: _, turns, ...chat } = stored as StoredChat;
  return { ...chat, conversation: await Promise.all(turns.map(unpackedTurn)) };
}

async function unpackedTurn({ pictures, forks, lanes, ...turn }: StoredTurn): Promise<Turn> {
  const read = await Promise.allSettled(pictures.map(({ name, file }) => readPicture(name, file)));
  return {
    ...turn,
    pictures: read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
    lanes: lanes.map((lane) =>
      changeSteps(lane, (step) => ({
        ...step,
        status: step.status === "running" ? "stopped" : step.status,
        fault: step.fault && livingFault(step.fault),
      })),
    ),
    ...(forks !== undefined && {
      forks: await Promise.all(forks.map((way) => Promise.all(way.map(unpackedTurn)))),
    }),
  };
}

function livingFault({ error, code }: CallFault): CallFault {
  return { error: typeof error === "string" ? error : new UnreachableError(), code };
}
