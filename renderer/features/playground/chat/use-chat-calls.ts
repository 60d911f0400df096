import { useMemo } from "react";
import type { ControlClient } from "../../../api/client.ts";
import type { V1Request } from "../../../api/v1/call-v1.ts";
import type { QuoteProps } from "../parts/quote.tsx";
import { sayAddress } from "../say-address.ts";
import { chatMemory, type ChatState } from "./chat-memory.ts";
import { chatQuote } from "./chat-quote.ts";
import type { ChatRuns, Fields } from "./chat-runs.ts";
import { chatBody, readSettings } from "./chat-settings.ts";
import { changeStep, isRunning, showBranch, type Turn } from "./conversation.ts";
import type { TurnActions } from "./turn-view.tsx";

export interface ChatCalls {
  /** Whether there is something to send, and a model to send it to. */
  readonly ready: boolean;
  send(): void;
  /** Stable. */
  readonly actions: TurnActions;
  /** Returns the request for the first model; null if nothing can be sent. */
  request(): V1Request | null;
  /** Estimated cost of the next turn, summed over all models. */
  readonly quote: Pick<QuoteProps, "ask" | "stamp">;
}

/** @param efforts of the first model (`ModelFacts.chat`) */
export function useChatCalls(
  client: ControlClient,
  runs: ChatRuns,
  state: ChatState,
  efforts: readonly string[] | null,
): ChatCalls {
  const { conversation, draft, pictures, models, settings } = state;
  const typed = draft.trim() !== "" || pictures.length > 0;
  const ready = models.every((model) => model !== "") && typed;

  /** Adds the settings to a request; shows an error at each field that cannot be sent. */
  const withFields = useMemo(
    () =>
      (go: (fields: Fields) => void): void => {
        const read = readSettings(chatMemory.get().settings, efforts);
        chatMemory.change({ faults: read.ok ? {} : read.faults });
        if (read.ok) go(read.fields);
      },
    [efforts],
  );
  const actions: TurnActions = useMemo(
    () => ({
      edit: (turn, text) => withFields((fields) => runs.edit(client, fields, turn, text)),
      showBranch: (turn, fork) =>
        chatMemory.update((before) => ({ ...before, conversation: showBranch(before.conversation, turn, fork) })),
      again: (place, model) =>
        withFields((fields) => {
          const { models: now } = chatMemory.get();
          // Another model than before is the column's from now on.
          if (now[place.lane] !== undefined) chatMemory.change({ models: now.with(place.lane, model) });
          runs.again(client, fields, place, model);
        }),
      goOn: (place) => withFields((fields) => runs.goOn(client, fields, place)),
      giveResult: (place, step, tool, result) =>
        chatMemory.update((before) => ({
          ...before,
          conversation: changeStep(before.conversation, place, step, (known) => ({
            ...known,
            tools: known.tools.map((use, index) => (index === tool ? { ...use, result } : use)),
          })),
        })),
    }),
    [client, runs, withFields],
  );
  const bodyOf = (lane: number): Fields | null => {
    const read = readSettings(settings, efforts);
    if (!read.ok || (!typed && conversation.length === 0)) return null;
    const next: Turn = { id: "next", text: draft, pictures, lanes: [] };
    const sent = typed ? [...conversation, next] : conversation;
    const place = { turn: sent.at(-1)?.id ?? "", lane };
    return chatBody(models[lane] ?? "", settings.system, read.fields, sent, place);
  };
  return {
    ready,
    send() {
      if (!ready || isRunning(chatMemory.get().conversation)) return;
      withFields((fields) => {
        sayAddress("chat", models[0] ?? "", "");
        runs.send(client, fields);
      });
    },
    actions,
    request() {
      const body = bodyOf(0);
      return body === null ? null : { path: "/v1/chat/completions", body };
    },
    quote: {
      ask: () =>
        ready
          ? models
              .map((_, lane) => bodyOf(lane))
              .flatMap((body) => (body === null ? [] : [{ tool: "chat", arguments: chatQuote(body) }]))
          : null,
      stamp: JSON.stringify([models, settings, draft, pictures.map(({ id }) => id), conversation.at(-1)?.id, ready]),
    },
  };
}
