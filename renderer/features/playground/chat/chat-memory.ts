import { createMemory, type Memory } from "../memory.ts";
import type { Picture } from "../pictures/picture.ts";
import { noSettings, type ChatSettings, type SettingsFaults } from "./chat-settings.ts";
import type { Conversation } from "./conversation.ts";

/** A stored conversation. */
export interface Chat {
  /** Unique id once a question was sent; empty before. */
  readonly id: string;
  /** Title set by the owner; empty: the first question is the title. */
  readonly title: string;
  /** Models in columns: one to four (`MOST_LANES`). */
  readonly models: readonly string[];
  readonly settings: ChatSettings;
  readonly conversation: Conversation;
}

/** The visible conversation, its draft, and conversations that run in the background. */
export interface ChatState extends Chat {
  readonly faults: SettingsFaults;
  readonly draft: string;
  readonly pictures: readonly Picture[];
  readonly parked: readonly Chat[];
}

const emptyChat: ChatState = {
  id: "",
  title: "",
  models: [""],
  settings: noSettings,
  faults: {},
  draft: "",
  pictures: [],
  conversation: [],
  parked: [],
};

export const chatMemory: Memory<ChatState> = createMemory("chats", emptyChat);

/** Returns the conversation of a state, without the draft. */
export const toChat = ({ id, title, models, settings, conversation }: ChatState): Chat => ({
  id,
  title,
  models,
  settings,
  conversation,
});

const holds = ({ conversation }: Chat, turn: string): boolean => conversation.some(({ id }) => id === turn);

/** The conversation with this turn, shown or not. */
export const chatWith = (state: ChatState, turn: string): Chat | undefined =>
  holds(state, turn) ? state : state.parked.find((chat) => holds(chat, turn));

/** The state with a change to the conversation that has this turn, shown or not. */
export function changeConversation(
  state: ChatState,
  turn: string,
  make: (conversation: Conversation) => Conversation,
): ChatState {
  if (holds(state, turn)) return { ...state, conversation: make(state.conversation) };
  return {
    ...state,
    parked: state.parked.map((chat) => (holds(chat, turn) ? { ...chat, conversation: make(chat.conversation) } : chat)),
  };
}
