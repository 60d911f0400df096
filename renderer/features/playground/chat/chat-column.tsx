import { Check, X } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { ModelPicker } from "../../../components/model-picker/model-picker.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import type { Conversation } from "./conversation.ts";
import { TurnView, type TurnActions } from "./turn-view.tsx";

/** Pixels from the end within which the user counts as following along. */
const NEAR_PX = 120;
/** Number of turns rendered initially, and added when earlier ones are requested. */
const DRAWN = 24;

export interface ChatColumnProps {
  readonly conversation: Conversation;
  readonly column: number;
  readonly model: string;
  /** Models in the columns next to it. */
  readonly others: readonly string[];
  readonly busy: boolean;
  readonly actions: TurnActions;
  readonly onModel: (model: string) => void;
  /** Continues with this model only; null if there is no other. */
  readonly onKeep: (() => void) | null;
  readonly onClose: (() => void) | null;
  readonly empty: ReactNode;
}

/** A conversation with one model: its choice on top, and below what scrolls. */
export function ChatColumn(props: ChatColumnProps): ReactNode {
  const t = useMessages();
  const { conversation, column, model, others, busy, actions, onKeep, onClose } = props;
  const name = others.length === 0 ? t.playground.model : t.playground.modelOf(column + 1);
  const { scrolled, first, onEarlier } = useScrolledList(conversation);
  const drawn = conversation.slice(first);
  return (
    <section
      aria-label={t.playground.conversationWith(model)}
      className="flex min-h-0 w-full min-w-full shrink-0 grow basis-0 snap-start flex-col not-last:border-r not-last:border-line min-[720px]:min-w-64"
    >
      <div className="flex h-11 shrink-0 items-center gap-1 border-b border-line px-2">
        <ModelPicker label={name} value={model} capability="chat" except={others} onChange={props.onModel} />
        {onKeep !== null && (
          <IconButton label={t.playground.keepThis} disabled={busy} onClick={onKeep}>
            <Check size={14} aria-hidden />
          </IconButton>
        )}
        {onClose !== null && (
          <IconButton label={t.playground.closeColumn(model)} disabled={busy} onClick={onClose}>
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </div>
      <section
        ref={scrolled}
        aria-label={t.playground.responsesOf(model)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard.
        tabIndex={0}
        className="relative min-h-0 grow overflow-y-auto px-3 py-3 -outline-offset-2"
      >
        {conversation.length === 0 ? (
          props.empty
        ) : (
          <div className="mx-auto flex max-w-180 flex-col gap-5">
            {first > 0 && (
              <Button className="self-center" onClick={onEarlier}>
                {t.playground.earlier(first)}
              </Button>
            )}
            <ol className="flex min-w-0 flex-col gap-5">
              {drawn.map((turn) => (
                <TurnView
                  key={turn.id}
                  turn={turn}
                  column={column}
                  last={turn === conversation.at(-1)}
                  busy={busy}
                  actions={actions}
                />
              ))}
            </ol>
          </div>
        )}
      </section>
    </section>
  );
}

interface ScrolledList {
  readonly scrolled: RefObject<HTMLElement | null>;
  /** The first turn that is drawn. */
  readonly first: number;
  readonly onEarlier: () => void;
}

/**
 * Keeps the end of a conversation visible while its last turn grows, unless the user has scrolled away; a new turn is
 * always shown. For a long one the last turns are rendered first.
 */
function useScrolledList(conversation: Conversation): ScrolledList {
  const scrolled = useRef<HTMLElement>(null);
  const follows = useRef(true);
  const seen = useRef<Conversation>([]);
  const [more, setMore] = useState({ root: "", drawn: DRAWN });
  const root = conversation[0]?.id ?? "";
  const shown = more.root === root ? more.drawn : DRAWN;
  useEffect(() => {
    const list = scrolled.current;
    if (list === null) return;
    const onScroll = (): void => {
      follows.current = list.scrollHeight - list.clientHeight - list.scrollTop < NEAR_PX;
    };
    list.addEventListener("scroll", onScroll, { passive: true });
    return () => list.removeEventListener("scroll", onScroll);
  }, []);
  useLayoutEffect(() => {
    const before = seen.current;
    if (before === conversation) return;
    seen.current = conversation;
    if (conversation.length > before.length || before[0]?.id !== conversation[0]?.id) follows.current = true;
    const list = scrolled.current;
    if (list !== null && follows.current) list.scrollTo({ top: list.scrollHeight });
  });
  return {
    scrolled,
    first: Math.max(0, conversation.length - shown),
    onEarlier: () => setMore({ root, drawn: shown + DRAWN }),
  };
}
