import type { CallFacts, CallFault, CallStatus } from "../../../api/v1/call-facts.ts";
import type { Picture } from "../pictures/picture.ts";

/**
 * A conversation of turns. Each turn is sent to one or several models; a model's response has several steps if it calls
 * tools. An edited turn keeps its earlier continuation as a branch. Pure: every change returns a new conversation.
 */

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  /** JSON, as far as it has come. */
  readonly input: string;
  /** Tool's result, typed by the person at the page; null until then. */
  readonly result: string | null;
}

/** A response of the model: text, or tools that it wants to use. */
export interface Step {
  readonly id: string;
  readonly text: string;
  readonly reasoning: string;
  readonly tools: readonly ToolUse[];
  readonly finish: string | null;
  readonly status: CallStatus;
  readonly facts: CallFacts;
  readonly fault: CallFault | null;
}

export interface Lane {
  readonly model: string;
  readonly steps: readonly Step[];
}

export interface Turn {
  readonly id: string;
  readonly text: string;
  readonly pictures: readonly Picture[];
  readonly lanes: readonly Lane[];
  /** Alternative continuations from here, each with its turns; the current one is number `fork`. */
  readonly forks?: readonly (readonly Turn[])[];
  readonly fork?: number;
}

export type Conversation = readonly Turn[];

/** Position of a step. */
export interface Place {
  readonly turn: string;
  readonly lane: number;
}

export const getLane = (conversation: Conversation, { turn, lane }: Place): Lane | undefined =>
  conversation.find(({ id }) => id === turn)?.lanes[lane];

export function changeLane(conversation: Conversation, place: Place, make: (lane: Lane) => Lane): Conversation {
  return conversation.map((turn) =>
    turn.id === place.turn
      ? { ...turn, lanes: turn.lanes.map((lane, index) => (index === place.lane ? make(lane) : lane)) }
      : turn,
  );
}

export function changeStep(
  conversation: Conversation,
  place: Place,
  id: string,
  make: (step: Step) => Step,
): Conversation {
  return changeLane(conversation, place, (lane) => ({
    ...lane,
    steps: lane.steps.map((step) => (step.id === id ? make(step) : step)),
  }));
}

/** Most models side by side. */
export const MOST_LANES = 4;

/** Returns the lane of a turn shown in a column: its own, or the first if the turn is older than the column. */
export const findLane = ({ lanes }: Turn, column: number): number => (lanes[column] === undefined ? 0 : column);

/** Branches at a turn: `next` replaces it, and the earlier continuation stays as a branch. */
export function branch(conversation: Conversation, id: string, next: Turn): Conversation {
  const at = conversation.findIndex((turn) => turn.id === id);
  const ways = waysFrom(conversation, at);
  if (ways === null) return conversation;
  return [...conversation.slice(0, at), { ...next, forks: ways, fork: ways.length }];
}

/** Shows the branch with this number instead; the one that is shown stays. */
export function showBranch(conversation: Conversation, id: string, fork: number): Conversation {
  const at = conversation.findIndex((turn) => turn.id === id);
  const ways = waysFrom(conversation, at);
  const [head, ...rest] = ways?.[fork] ?? [];
  if (ways === null || head === undefined) return conversation;
  const forks = ways.filter((_, index) => index !== fork);
  return [...conversation.slice(0, at), { ...head, forks, fork }, ...rest];
}

/** Returns all branches from a turn on, with the shown one in its place. Null if the turn does not exist. */
function waysFrom(conversation: Conversation, at: number): readonly (readonly Turn[])[] | null {
  const shown = conversation[at];
  if (shown === undefined) return null;
  const { forks = [], fork = 0, ...head } = shown;
  return [...forks.slice(0, fork), [head, ...conversation.slice(at + 1)], ...forks.slice(fork)];
}

/** Removes a column; earlier turns are unchanged. */
export const withoutColumn = (conversation: Conversation, column: number): Conversation =>
  conversation.map((turn) =>
    turn.lanes[column] === undefined || turn.lanes.length === 1
      ? turn
      : { ...turn, lanes: turn.lanes.filter((_, index) => index !== column) },
  );

/** Keeps a single column. */
export const onlyColumn = (conversation: Conversation, column: number): Conversation =>
  conversation.map((turn) => ({ ...turn, lanes: turn.lanes.slice(findLane(turn, column)).slice(0, 1) }));

/** Whether the model waits for tool results. It continues when each has one (`isAnswered`). */
export function canGoOn({ steps }: Lane): boolean {
  const last = steps.at(-1);
  return last !== undefined && last.tools.length > 0 && last.status !== "running";
}

export const isAnswered = ({ tools }: Step): boolean => tools.every(({ result }) => result !== null);

export const isRunning = (conversation: Conversation): boolean =>
  conversation.some(({ lanes }) => lanes.some(({ steps }) => steps.some(({ status }) => status === "running")));

type Message = Readonly<Record<string, unknown>>;

/**
 * Builds the messages for the next step at a place: the system prompt, all earlier turns with this lane's responses,
 * and the current turn so far. For turns with fewer lanes the first one is used.
 */
export function buildMessages(system: string, conversation: Conversation, place: Place): readonly Message[] {
  const messages: Message[] = system.trim() === "" ? [] : [{ role: "system", content: system }];
  for (const turn of conversation) {
    messages.push({ role: "user", content: toContent(turn) });
    const lane = turn.lanes[place.lane] ?? turn.lanes[0];
    messages.push(...(lane?.steps ?? []).flatMap(toMessages));
    if (turn.id === place.turn) break;
  }
  return messages;
}

function toContent({ text, pictures }: Turn): unknown {
  if (pictures.length === 0) return text;
  return [
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...pictures.map(({ url }) => ({ type: "image_url", image_url: { url } })),
  ];
}

/** Returns nothing for a step without text, or with tools without results: providers refuse both. */
function toMessages(step: Step): readonly Message[] {
  const { text, tools } = step;
  if (tools.length === 0 || !isAnswered(step)) return text === "" ? [] : [{ role: "assistant", content: text }];
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      tool_calls: tools.map(({ id, name, input }) => ({
        id,
        type: "function",
        function: { name, arguments: input === "" ? "{}" : input },
      })),
    },
    ...tools.map(({ id, result }) => ({ role: "tool", tool_call_id: id, content: result ?? "" })),
  ];
}
