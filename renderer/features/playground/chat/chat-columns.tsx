import { MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import { Empty } from "../../../components/ui/states.tsx";
import { useNotify } from "../../../components/ui/toasts.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { replacedMemory } from "../replaced.ts";
import { sayAddress } from "../say-address.ts";
import { ChatColumn } from "./chat-column.tsx";
import { chatMemory, type Chat, type ChatState } from "./chat-memory.ts";
import { onlyColumn, withoutColumn } from "./conversation.ts";
import type { TurnActions } from "./turn-view.tsx";

export interface ChatColumnsProps {
  readonly state: ChatState;
  readonly running: boolean;
  readonly actions: TurnActions;
}

/** A conversation with its models in columns; in a narrow window as swipeable pages. */
export function ChatColumns({ state, running, actions }: ChatColumnsProps): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { models, conversation } = state;

  /** Changes the columns; Undo restores those of this conversation, unless it has continued. */
  const change = (message: string, fields: Pick<Chat, "models" | "conversation">): void => {
    const { id } = state;
    chatMemory.change(fields);
    notify.undoable(message, () => {
      const now = chatMemory.get();
      if (now.id === id && now.conversation === fields.conversation) chatMemory.change({ models, conversation });
    });
  };
  const choose = (column: number, model: string): void => {
    replacedMemory.change({ chat: "", second: "" });
    chatMemory.change({ models: models.with(column, model) });
    if (column === 0) sayAddress("chat", model, "");
  };
  return (
    <div className="flex min-h-0 grow snap-x snap-mandatory overflow-x-auto">
      {models.map((model, column) => (
        <ChatColumn
          key={column}
          conversation={conversation}
          column={column}
          model={model}
          others={models.toSpliced(column, 1)}
          busy={running}
          actions={actions}
          onModel={(next) => choose(column, next)}
          onKeep={
            models.length === 1
              ? null
              : () =>
                  change(t.playground.kept(model), {
                    models: [model],
                    conversation: onlyColumn(conversation, column),
                  })
          }
          onClose={
            models.length === 1
              ? null
              : () =>
                  change(t.playground.closed(model), {
                    models: models.toSpliced(column, 1),
                    conversation: withoutColumn(conversation, column),
                  })
          }
          empty={
            <Empty
              icon={<MessageSquare size={24} aria-hidden />}
              title={t.playground.noConversation}
              help={t.playground.chatHelp}
            />
          }
        />
      ))}
    </div>
  );
}
