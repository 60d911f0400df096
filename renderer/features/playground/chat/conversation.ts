import type { CallFacts, CallFault, CallStatus } from "../../../api/v1/call-facts.ts";
import type { Picture } from "../pictures/picture.ts";

/**
 * A conversation, turn by turn. Each turn is asked of one model, or of two side by side; a model's response takes several
 * steps where it calls tools. Pure: every change makes a new one.
 */

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  /** JSON, as far as it has come. */
  readonly input: string;
  /** What the person at the page says that the tool answered; null until then. */
  readonly result: string | null;
}

/** One response of the model: words, or tools that it wants to use. */
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
}

export type Conversation = readonly Turn[];

/** Where a step is. */
export interface Place {
  readonly turn: string;
  readonly lane: number;
}

export const laneAt = (conversation: Conversation, { turn, lane }: Place): Lane | undefined =>
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

/** Without this turn and what came after it. */
export function before(conversation: Conversation, turn: string): Conversation {
  const index = conversation.findIndex(({ id }) => id === turn);
  return index === -1 ? conversation : conversation.slice(0, index);
}

/** Whether the model waits for what tools answered. It goes on when each has (`isAnswered`). */
export function canGoOn({ steps }: Lane): boolean {
  const last = steps.at(-1);
  return last !== undefined && last.tools.length > 0 && last.status !== "running";
}

export const isAnswered = ({ tools }: Step): boolean => tools.every(({ result }) => result !== null);

export const isRunning = (conversation: Conversation): boolean =>
  conversation.some(({ lanes }) => lanes.some(({ steps }) => steps.some(({ status }) => status === "running")));

type Message = Readonly<Record<string, unknown>>;

/**
 * The messages that lead to the next step at a place: the system's, every turn before with this lane's responses, and the
 * turn itself as far as it is. A turn that had fewer lanes gives its first one.
 */
export function messagesFor(system: string, conversation: Conversation, place: Place): readonly Message[] {
  const messages: Message[] = system.trim() === "" ? [] : [{ role: "system", content: system }];
  for (const turn of conversation) {
    messages.push({ role: "user", content: contentOf(turn) });
    const lane = turn.lanes[place.lane] ?? turn.lanes[0];
    messages.push(...(lane?.steps ?? []).flatMap(messagesOf));
    if (turn.id === place.turn) break;
  }
  return messages;
}

function contentOf({ text, pictures }: Turn): unknown {
  if (pictures.length === 0) return text;
  return [
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...pictures.map(({ url }) => ({ type: "image_url", image_url: { url } })),
  ];
}

/** Nothing for a step without words, and for one whose tools never answered: providers refuse both. */
function messagesOf(step: Step): readonly Message[] {
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
