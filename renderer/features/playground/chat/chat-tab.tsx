import { MessageSquare } from "lucide-react";
import { useMemo, useEffect, useLayoutEffect, useRef } from "react";
import type { KeyboardEvent, ReactNode, RefObject } from "react";
import { useGateway } from "../../../api/gateway.tsx";
import { Empty } from "../../../components/ui/states.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import type { V1Request } from "../../../api/v1/call-v1.ts";
import { useMemory } from "../memory.ts";
import { sayAddress } from "../say-address.ts";
import { useModelFacts } from "../use-model-facts.ts";
import { chatMemory } from "./chat-memory.ts";
import { createChatRuns } from "./chat-runs.ts";
import type { Fields } from "./chat-runs.ts";
import { chatBody, readSettings } from "./chat-settings.ts";
import { Composer } from "./composer.tsx";
import { changeStep, isRunning } from "./conversation.ts";
import type { Turn } from "./conversation.ts";
import { SettingsPanel } from "./settings-panel.tsx";
import { TurnView } from "./turn-view.tsx";
import type { TurnActions } from "./turn-view.tsx";
import { chatQuote } from "./chat-quote.ts";

/** Nearer to the end than this, somebody reads along. */
const NEAR_PX = 160;

/**
 * Keeps the end of a list in sight while its last item grows, unless somebody has scrolled away from it; a new item is
 * always shown.
 */
function useStickyEnd(list: readonly unknown[]): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const follows = useRef(false);
  const seen = useRef(list);
  useEffect(() => {
    const main = end.current?.closest("main");
    if (main == null) return;
    const onScroll = (): void => {
      follows.current = main.scrollHeight - main.clientHeight - main.scrollTop < NEAR_PX;
    };
    main.addEventListener("scroll", onScroll, { passive: true });
    return () => main.removeEventListener("scroll", onScroll);
  }, []);
  useLayoutEffect(() => {
    const before = seen.current;
    if (before === list) return;
    seen.current = list;
    if (list.length > before.length) follows.current = true;
    const main = end.current?.closest("main");
    if (main != null && follows.current) main.scrollTo({ top: main.scrollHeight });
  });
  return end;
}

const chatRuns = createChatRuns(chatMemory, (run) => requestAnimationFrame(run));

/** A conversation with one model, or with two side by side. */
export function ChatTab(): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const state = useMemory(chatMemory);
  const { conversation, draft, pictures, model, settings } = state;
  const facts = useModelFacts(model);
  const efforts = facts?.chat.efforts ?? null;
  const running = isRunning(conversation);
  const newest = conversation.at(-1);
  const ready = model !== "" && (draft.trim() !== "" || pictures.length > 0);
  const end = useStickyEnd(conversation);

  /** What the settings add to a request; null, and said at their fields, where they cannot be sent. */
  const fields = (): Fields | null => {
    const read = readSettings(chatMemory.get().settings, efforts);
    chatMemory.change({ faults: read.ok ? {} : read.faults });
    return read.ok ? read.fields : null;
  };
  const withFields = (go: (fields: Fields) => void): void => {
    const made = fields();
    if (made !== null) go(made);
  };
  const send = (): void => {
    if (!ready || running) return;
    withFields((made) => {
      sayAddress("chat", model, "");
      chatRuns.send(client, made);
    });
  };
  const actions: TurnActions = useMemo(
    () => ({
      edit: chatRuns.edit,
      again: (place) => withFields((made) => chatRuns.again(client, made, place)),
      goOn: (place) => withFields((made) => chatRuns.goOn(client, made, place)),
      giveResult: (place, step, tool, result) =>
        chatMemory.update((before) => ({
          ...before,
          conversation: changeStep(before.conversation, place, step, (known) => ({
            ...known,
            tools: known.tools.map((use, index) => (index === tool ? { ...use, result } : use)),
          })),
        })),
    }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `withFields` reads the settings of the moment; the rest hangs on these.
    [client, efforts],
  );
  /** What would be sent next to the first model, or to the second one. */
  const bodyOf = (lane: number): Readonly<Record<string, unknown>> | null => {
    const read = readSettings(settings, efforts);
    if (!read.ok || (draft.trim() === "" && pictures.length === 0 && newest === undefined)) return null;
    const next: Turn = { id: "next", text: draft, pictures, lanes: [] };
    const asked = draft.trim() === "" && pictures.length === 0 ? conversation : [...conversation, next];
    const place = { turn: asked.at(-1)?.id ?? "", lane };
    return chatBody(lane === 0 ? model : state.second, settings.system, read.fields, asked, place);
  };
  const request = (): V1Request | null => {
    const body = bodyOf(0);
    return body === null ? null : { path: "/v1/chat/completions", body };
  };
  const quote = {
    ask: () => {
      if (!ready) return null;
      const bodies = (state.second === "" ? [0] : [0, 1]).map(bodyOf);
      return bodies.flatMap((body) => (body === null ? [] : [chatQuote(body)]));
    },
    stamp: JSON.stringify([model, state.second, settings, draft, pictures.map(({ id }) => id), conversation.length]),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
    else if (event.key === "Escape" && running) chatRuns.stop();
    else return;
    event.preventDefault();
  };
  const status = newest?.lanes.flatMap(({ steps }) => steps.slice(-1))[0]?.status;

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Keys of the tab, wherever in it the focus is.
    <div onKeyDown={onKeyDown} className="grid gap-4 min-[900px]:grid-cols-[minmax(0,1fr)_300px]">
      {/* In a narrow window above the conversation, else at its right. */}
      <div className="min-w-0 min-[900px]:sticky min-[900px]:top-0 min-[900px]:order-2 min-[900px]:max-h-[calc(100dvh-16px)] min-[900px]:self-start min-[900px]:overflow-y-auto">
        <SettingsPanel state={state} facts={facts} onChange={chatMemory.change} />
      </div>
      <div ref={end} className="flex min-w-0 flex-col gap-4 min-[900px]:order-1">
        <section aria-label={t.playground.conversation} className="flex min-w-0 flex-col gap-4">
          {conversation.length === 0 ? (
            <div className="panel">
              <Empty
                icon={<MessageSquare size={24} aria-hidden />}
                title={t.playground.noConversation}
                help={t.playground.chatHelp}
              />
            </div>
          ) : (
            <ol className="flex min-w-0 flex-col gap-5">
              {conversation.map((turn) => (
                <TurnView key={turn.id} turn={turn} last={turn === newest} actions={actions} />
              ))}
            </ol>
          )}
          <output className="sr-only">{status === undefined ? "" : t.playground.statuses[status]}</output>
        </section>
        <Composer
          draft={draft}
          pictures={pictures}
          running={running}
          ready={ready}
          onChange={chatMemory.change}
          onSend={send}
          onStop={chatRuns.stop}
          request={request}
          quote={quote}
          onNew={conversation.length === 0 ? null : chatRuns.clear}
        />
      </div>
    </div>
  );
}
