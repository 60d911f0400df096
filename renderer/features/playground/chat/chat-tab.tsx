import { useEffect, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { useGateway } from "../../../api/gateway.tsx";
import { Modal } from "../../../components/ui/dialog.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { onNextFrame } from "../../../lib/next-frame.ts";
import { useStored } from "../../../lib/stored.ts";
import { useMemory } from "../memory.ts";
import { LiveQuote } from "../parts/quote.tsx";
import { replacedMemory } from "../replaced.ts";
import { useModelFacts } from "../use-model-facts.ts";
import { ChatColumns } from "./chat-columns.tsx";
import { ChatList } from "./chat-list.tsx";
import { chatMemory } from "./chat-memory.ts";
import { createChatRuns } from "./chat-runs.ts";
import { ChatToolbar } from "./chat-toolbar.tsx";
import { Composer } from "./composer.tsx";
import { isRunning } from "./conversation.ts";
import { PictureNote } from "./picture-note.tsx";
import { createChatStore } from "./saved/chat-store.ts";
import { createSavedChats } from "./saved/saved-chats.ts";
import { SettingsPanel } from "./settings-panel.tsx";
import { useChatCalls } from "./use-chat-calls.ts";
import { useFillHeight, useWide } from "./use-fill-height.ts";

const chatRuns = createChatRuns(chatMemory, onNextFrame);
/** Set by the page, which has the session. */
let askForKey: () => Promise<string> = () => Promise.reject(new Error("no page is open"));
const savedChats = createSavedChats(
  chatMemory,
  createChatStore(() => askForKey()),
);

type Panel = "list" | "settings";

/**
 * Tells whether each panel is docked next to the conversation or overlays it: more models need more space.
 */
function useDocked(models: number): Readonly<Record<Panel, boolean>> {
  const some = useWide(1_100);
  const more = useWide(1_400);
  if (models === 1) return { list: some, settings: some };
  return { list: models === 2 ? some : models === 3 && more, settings: models === 2 && more };
}

/** Conversations with one model, or with up to four side by side; they are kept in this browser. */
export function ChatTab(): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const state = useMemory(chatMemory);
  const gone = useMemory(replacedMemory);
  const { conversation, parked, models } = state;
  const facts = useModelFacts(models[0] ?? "");
  const frame = useRef<HTMLDivElement>(null);
  const height = useFillHeight(frame);
  const docked = useDocked(models.length);
  const [stored, store] = useStored("playground.panels");
  const [over, setOver] = useState<Panel | null>(null);
  const running = isRunning(conversation);
  const calls = useChatCalls(client, chatRuns, state, facts?.chat.efforts ?? null);
  useEffect(() => {
    askForKey = async () => (await client.call("playgroundKey")).key;
    savedChats.begin();
  }, [client]);

  // Panels next to the conversation: both, unless the user closed them.
  const away = useMemo(() => new Set((stored ?? "").split(" ")), [stored]);
  const isShown = (panel: Panel): boolean => (docked[panel] ? !away.has(panel) : over === panel);
  const toggle = (panel: Panel): void => {
    if (!docked[panel]) return setOver(over === panel ? null : panel);
    const others = [...away].filter((each) => each !== panel);
    store((away.has(panel) ? others : [...others, panel]).join(" ").trim());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // An overlay on top has handled the key.
    if (event.defaultPrevented || !event.currentTarget.contains(event.target as Node)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) calls.send();
    else if (event.key === "Escape" && running) chatRuns.stop();
    else return;
    event.preventDefault();
  };
  const waiting = useMemo(() => {
    const ids = parked.filter((chat) => isRunning(chat.conversation)).map(({ id }) => id);
    return new Set(running ? [state.id, ...ids] : ids);
  }, [parked, running, state.id]);
  const newest = conversation.at(-1);
  const status = newest?.lanes.flatMap(({ steps }) => steps.slice(-1))[0]?.status;
  const replaced = [gone.chat, gone.second].filter((name) => name !== "");

  const list = (
    <ChatList
      saved={savedChats}
      shown={state.id}
      running={waiting}
      onOpen={(id) => {
        setOver(null);
        void savedChats.open(id);
      }}
      onRemove={chatRuns.stop}
    />
  );
  const settings = <SettingsPanel state={state} facts={facts} onChange={chatMemory.change} />;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Keys of the tab, wherever in it the focus is.
    <div ref={frame} onKeyDown={onKeyDown} style={{ height }} className="panel -mb-7 flex min-w-0 overflow-hidden">
      {docked.list && isShown("list") && <div className="flex w-52 shrink-0 flex-col border-r border-line">{list}</div>}
      <section aria-label={t.playground.conversation} className="flex min-w-0 grow basis-0 flex-col">
        <ChatToolbar
          models={models}
          listShown={isShown("list")}
          settingsShown={isShown("settings")}
          onList={() => toggle("list")}
          onSettings={() => toggle("settings")}
          onNew={() => {
            savedChats.create();
            frame.current?.querySelector<HTMLElement>("form textarea")?.focus();
          }}
          onAdd={(model) => chatMemory.change({ models: [...models, model] })}
        />
        <ChatColumns state={state} running={running} actions={calls.actions} />
        <output className="sr-only">{status === undefined ? "" : t.playground.statuses[status]}</output>
        <Composer
          draft={state.draft}
          pictures={state.pictures}
          running={running}
          ready={calls.ready}
          onChange={chatMemory.change}
          onSend={calls.send}
          onStop={chatRuns.stop}
          request={calls.request}
          estimate={<LiveQuote {...calls.quote} />}
          notice={
            <>
              {replaced.map((name) => (
                <p key={name} className="text-meta text-muted wrap-anywhere">
                  {t.playground.gone(name)}
                </p>
              ))}
              <PictureNote models={models} pictures={state.pictures.length} />
            </>
          }
        />
      </section>
      {docked.settings && isShown("settings") && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard.
        <div tabIndex={0} className="w-68 shrink-0 overflow-y-auto border-l border-line -outline-offset-2">
          {settings}
        </div>
      )}
      <Modal open={!docked.list && over === "list"} onClose={() => setOver(null)} title={t.playground.conversations}>
        <div className="mt-3 flex max-h-[60dvh] flex-col border-t border-line">{list}</div>
      </Modal>
      <Modal open={!docked.settings && over === "settings"} onClose={() => setOver(null)} title={t.playground.settings}>
        {settings}
      </Modal>
    </div>
  );
}
