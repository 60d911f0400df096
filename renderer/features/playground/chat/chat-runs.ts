import type { ControlClient } from "../../../api/client.ts";
import { factsAtStart, describeFault, isStop } from "../../../api/v1/call-facts.ts";
import type { CallFacts } from "../../../api/v1/call-facts.ts";
import { asUnreachable, callV1, CallError, readRequestId } from "../../../api/v1/call-v1.ts";
import { playgroundKey } from "../../../api/v1/playground-key.ts";
import { waitForReceipt, receiptOfStopped } from "../../../api/v1/settled.ts";
import type { Memory } from "../memory.ts";
import { changeConversation, chatWith, type ChatState } from "./chat-memory.ts";
import { chatBody } from "./chat-settings.ts";
import { readChatStream } from "../../../api/v1/chat-stream.ts";
import type { Chunk } from "../../../api/v1/chat-stream.ts";
import { branch, changeLane, changeStep, getLane } from "./conversation.ts";
import type { Place, Step, Turn, ToolUse } from "./conversation.ts";

/** Returns a step with a chunk applied. */
export function withChunk(step: Step, { choices }: Chunk): Step {
  const choice = choices?.[0];
  if (choice === undefined) return step;
  const { delta, finish_reason: finish } = choice;
  const tools = (delta?.tool_calls ?? []).reduce(withToolPart, step.tools);
  return {
    ...step,
    text: step.text + (delta?.content ?? "") + (delta?.refusal ?? ""),
    reasoning: step.reasoning + (delta?.reasoning_content ?? delta?.reasoning ?? ""),
    tools,
    finish: finish ?? step.finish,
  };
}

type ToolPart = NonNullable<NonNullable<NonNullable<Chunk["choices"]>[number]["delta"]>["tool_calls"]>[number];

/** Max parallel tool calls: a provider's mistaken index must not create a million. */
const MOST_TOOLS = 128;

function withToolPart(tools: readonly ToolUse[], part: ToolPart): readonly ToolUse[] {
  const index = part.index ?? (part.id == null ? tools.length - 1 : tools.length);
  if (index < 0 || index > tools.length || index >= MOST_TOOLS) return tools;
  const known = tools[index] ?? { id: "", name: "", input: "", result: null };
  const next = {
    ...known,
    id: part.id ?? known.id,
    name: known.name + (part.function?.name ?? ""),
    input: known.input + (part.function?.arguments ?? ""),
  };
  return [...tools.slice(0, index), next, ...tools.slice(index + 1)];
}

/** Actions of the chat, on the state that outlives its page. */
export interface ChatRuns {
  /** Asks the draft of each chosen model. `fields` come from the settings (`readSettings`). */
  send(client: ControlClient, fields: Fields): void;
  /** Repeats a question to one model, replacing its response. */
  again(client: ControlClient, fields: Fields, place: Place, model: string): void;
  /** Edits or repeats a question to all models; the earlier continuation stays as a branch. */
  edit(client: ControlClient, fields: Fields, turn: string, text: string): void;
  /** Continues after the results of tools. */
  goOn(client: ControlClient, fields: Fields, place: Place): void;
  /** Ends what runs in the conversation that is shown. */
  stop(): void;
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * @param later runs once before the next picture is drawn: words that arrive together are put in together
 */
export function createChatRuns(memory: Memory<ChatState>, later: (run: () => void) => void): ChatRuns {
  const running = new Map<string, { readonly turn: string; readonly stop: AbortController }>();

  const changeFacts = (place: Place, step: string, facts: Partial<CallFacts>): void =>
    patch(place, step, (known) => ({ ...known, facts: { ...known.facts, ...facts } }));
  const patch = (place: Place, step: string, make: (step: Step) => Step): void =>
    memory.update((state) =>
      changeConversation(state, place.turn, (conversation) => changeStep(conversation, place, step, make)),
    );

  const run = async (client: ControlClient, fields: Fields, place: Place): Promise<void> => {
    const chat = chatWith(memory.get(), place.turn);
    const lane = getLane(chat?.conversation ?? [], place);
    if (chat === undefined || lane === undefined) return;
    const { conversation, settings } = chat;
    const body = chatBody(lane.model, settings.system, fields, conversation, place);
    const id = crypto.randomUUID();
    const stop = new AbortController();
    running.set(id, { turn: place.turn, stop });
    memory.update((state) =>
      changeConversation(state, place.turn, (turns) =>
        changeLane(turns, place, (known) => ({ ...known, steps: [...known.steps, emptyStep(id, lane.model)] })),
      ),
    );

    const key = playgroundKey(client);
    const from = performance.now();
    const began = Date.now();
    let waiting: Chunk[] = [];
    let first = true;
    const flush = (): void => {
      const chunks = waiting;
      waiting = [];
      if (chunks.length > 0) patch(place, id, (step) => chunks.reduce(withChunk, step));
    };
    let requestId: string | null = null;
    try {
      const response = await callV1(key, { path: "/v1/chat/completions", body }, stop.signal);
      requestId = readRequestId(response);
      changeFacts(place, id, { requestId });
      await readChatStream(response, (chunk) => {
        if (first && hasWords(chunk)) {
          first = false;
          changeFacts(place, id, { firstMs: performance.now() - from });
        }
        if (waiting.push(chunk) === 1) later(flush);
      });
      flush();
      patch(place, id, (step) => ({ ...step, status: "done" }));
    } catch (thrown) {
      flush();
      const error = asUnreachable(thrown);
      if (error instanceof CallError) requestId ??= error.requestId;
      patch(place, id, (step) =>
        isStop(error) ? { ...step, status: "stopped" } : { ...step, status: "failed", fault: describeFault(error) },
      );
    } finally {
      running.delete(id);
    }
    changeFacts(place, id, { requestId, ms: performance.now() - from });
    if (requestId === null && !stop.signal.aborted) return;
    const { key: view } = await key.get();
    const receipt =
      requestId === null
        ? await receiptOfStopped(client, view.id, { model: lane.model, from: began })
        : await waitForReceipt(client, view.id, requestId);
    changeFacts(place, id, { receipt, requestId: requestId ?? receipt?.id ?? null });
  };

  const start = (client: ControlClient, fields: Fields, place: Place): void => void run(client, fields, place);
  const startAll = (client: ControlClient, fields: Fields, { id, lanes }: Turn): void => {
    for (const lane of lanes.keys()) start(client, fields, { turn: id, lane });
  };

  return {
    send(client, fields) {
      const { models, draft, pictures } = memory.get();
      const turn = createTurn(draft, pictures, models);
      memory.update((state) => ({
        ...state,
        id: state.id === "" ? crypto.randomUUID() : state.id,
        draft: "",
        pictures: [],
        conversation: [...state.conversation, turn],
      }));
      startAll(client, fields, turn);
    },
    again(client, fields, place, model) {
      memory.update((state) =>
        changeConversation(state, place.turn, (turns) => changeLane(turns, place, () => ({ model, steps: [] }))),
      );
      start(client, fields, place);
    },
    edit(client, fields, id, text) {
      const { conversation, models } = memory.get();
      const requested = conversation.find((turn) => turn.id === id);
      if (requested === undefined) return;
      const turn = createTurn(text, requested.pictures, models);
      memory.change({ conversation: branch(conversation, id, turn) });
      startAll(client, fields, turn);
    },
    goOn: start,
    stop() {
      const shown = new Set(memory.get().conversation.map(({ id }) => id));
      for (const { turn, stop } of running.values()) if (shown.has(turn)) stop.abort();
    },
  };
}

const createTurn = (text: string, pictures: Turn["pictures"], models: readonly string[]): Turn => ({
  id: crypto.randomUUID(),
  text,
  pictures,
  lanes: models.map((model) => ({ model, steps: [] })),
});

const emptyStep = (id: string, model: string): Step => ({
  id,
  text: "",
  reasoning: "",
  tools: [],
  finish: null,
  status: "running",
  facts: factsAtStart(model),
  fault: null,
});

/** The first chunk often has only the role. */
function hasWords({ choices }: Chunk): boolean {
  const delta = choices?.[0]?.delta;
  if (delta == null) return false;
  const words = [delta.content, delta.reasoning_content, delta.reasoning, delta.refusal];
  return words.some((each) => each != null && each !== "") || (delta.tool_calls?.length ?? 0) > 0;
}
