import type { Memory } from "../../memory.ts";
import { createMemory } from "../../memory.ts";
import { toChat, type Chat, type ChatState } from "../chat-memory.ts";
import { isRunning } from "../conversation.ts";
import { beyondBound, packChat, summarize, unpackChat, type ChatSummary } from "./chat-record.ts";
import type { ChatStore } from "./chat-store.ts";

/** The stored conversations. */
export interface SavedChats {
  readonly list: Memory<SavedList>;
  /** Reads the list and keeps every change from now on; once, however often it is called. */
  begin(): void;
  /** Shows another conversation; the current one is stored, and its running calls go on. */
  open(id: string): Promise<void>;
  /** Shows an empty one with the same models and settings. */
  create(): void;
  rename(id: string, title: string): Promise<void>;
  /** @returns a function that restores it; null if it did not exist */
  remove(id: string): Promise<(() => Promise<void>) | null>;
}

export interface SavedList {
  /** Unordered. */
  readonly summaries: readonly ChatSummary[];
  /** Whether the browser refuses storage, so that conversations last only as long as the page. */
  readonly refused: boolean;
}

/** Milliseconds between saves, because a stream changes with every frame. */
const SAVE_MS = 800;

/**
 * @param memory the conversation that is shown, and those that run on
 */
export function createSavedChats(memory: Memory<ChatState>, store: ChatStore): SavedChats {
  const list = createMemory<SavedList>("saved-chats", { summaries: [], refused: false });
  /** Last stored version of each conversation: unchanged ones are not written again. */
  const chats = new Map<string, Chat>();
  let isStarted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const changed = (chat: Chat): boolean => {
    const before = chats.get(chat.id);
    return (
      before?.conversation !== chat.conversation ||
      before.title !== chat.title ||
      before.models !== chat.models ||
      before.settings !== chat.settings
    );
  };
  const worthKeeping = ({ id, conversation }: Chat): boolean => id !== "" && conversation.length > 0;

  async function write(chat: Chat, at: number): Promise<void> {
    chats.set(chat.id, chat);
    const summary = summarize(chat, at);
    const others = list.get().summaries.filter(({ id }) => id !== chat.id);
    const summaries = [...others, summary];
    const gone = beyondBound(summaries);
    list.change({ summaries: summaries.filter(({ id }) => !gone.includes(id)) });
    try {
      await store.write(packChat(chat), summary);
      if (gone.length > 0) await store.remove(gone);
    } catch {
      list.change({ refused: true });
    }
  }

  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    const state = memory.get();
    const now = Date.now();
    for (const chat of [toChat(state), ...state.parked]) if (worthKeeping(chat) && changed(chat)) void write(chat, now);
    const over = state.parked.filter(({ conversation }) => !isRunning(conversation));
    if (over.length > 0) memory.change({ parked: state.parked.filter((chat) => !over.includes(chat)) });
  }

  /** Takes the shown one away: what runs in it runs on. */
  function put(next: Chat): void {
    save();
    memory.update((state) => ({
      ...state,
      ...next,
      faults: {},
      parked: [
        ...state.parked.filter(({ id }) => id !== next.id),
        ...(isRunning(state.conversation) ? [toChat(state)] : []),
      ],
    }));
  }

  const stored = async (id: string): Promise<Chat | null> => {
    const state = memory.get();
    const known = [toChat(state), ...state.parked].find((chat) => chat.id === id);
    return known ?? unpackChat(await store.read(id));
  };

  return {
    list,
    begin() {
      if (isStarted) return;
      isStarted = true;
      memory.subscribe(() => (timer ??= setTimeout(save, SAVE_MS)));
      window.addEventListener("pagehide", save);
      document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && save());
      store.summaries().then(
        (summaries) => list.change({ summaries }),
        () => list.change({ refused: true }),
      );
    },
    async open(id) {
      if (id === memory.get().id) return;
      const chat = await stored(id);
      if (chat === null) return;
      if (!memory.get().parked.some((each) => each.id === id)) chats.set(id, chat);
      put(chat);
    },
    create() {
      const { models, settings } = memory.get();
      put({ id: "", title: "", models, settings, conversation: [] });
    },
    async rename(id, title) {
      const chat = await stored(id);
      if (chat === null) return;
      if (id === memory.get().id) memory.change({ title });
      const at = list.get().summaries.find((summary) => summary.id === id)?.at ?? Date.now();
      await write({ ...chat, title }, at);
    },
    async remove(id) {
      const chat = await stored(id);
      const at = list.get().summaries.find((summary) => summary.id === id)?.at ?? Date.now();
      if (chat === null) return null;
      const shown = id === memory.get().id;
      if (shown) memory.change({ id: "", title: "", conversation: [] });
      chats.delete(id);
      list.change({ summaries: list.get().summaries.filter((summary) => summary.id !== id) });
      await store.remove([id]).catch(() => list.change({ refused: true }));
      return async () => {
        await write(chat, at);
        if (shown && memory.get().conversation.length === 0) put(chat);
      };
    },
  };
}
