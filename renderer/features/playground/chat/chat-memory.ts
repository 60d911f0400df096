import { createMemory, type Memory } from "../memory.ts";
import type { Picture } from "../pictures/picture.ts";
import { noSettings, type ChatSettings, type SettingsFaults } from "./chat-settings.ts";
import type { Conversation } from "./conversation.ts";

export interface ChatState {
  readonly model: string;
  /** The model beside it; empty for none. */
  readonly second: string;
  readonly settings: ChatSettings;
  readonly faults: SettingsFaults;
  readonly draft: string;
  readonly pictures: readonly Picture[];
  readonly conversation: Conversation;
}

const emptyChat: ChatState = {
  model: "",
  second: "",
  settings: noSettings,
  faults: {},
  draft: "",
  pictures: [],
  conversation: [],
};

export const chatMemory: Memory<ChatState> = createMemory("chat", emptyChat);
