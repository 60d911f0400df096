import { Ellipsis, Search } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../../components/ui/dialog.tsx";
import { TextField } from "../../../components/ui/field.tsx";
import { Moment } from "../../../components/ui/figures.tsx";
import { Menu, MenuItem } from "../../../components/ui/menu.tsx";
import { useNotify } from "../../../components/ui/toasts.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { useMemory } from "../memory.ts";
import { searchChats, type ChatSummary } from "./saved/chat-record.ts";
import type { SavedChats } from "./saved/saved-chats.ts";

export interface ChatListProps {
  readonly saved: SavedChats;
  /** Id of the one that is shown. */
  readonly shown: string;
  /** Ids of those that wait for a response. */
  readonly running: ReadonlySet<string>;
  readonly onOpen: (id: string) => void;
  /** Before the shown one is deleted. */
  readonly onRemove: () => void;
}

/** Rows are short and at most two hundred, so all are rendered, with layout skipped off-screen. */
export function ChatList({ saved, shown, running, onOpen, onRemove }: ChatListProps): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { summaries, refused } = useMemory(saved.list);
  const [typed, setTyped] = useState("");
  const [renamed, setRenamed] = useState<ChatSummary | null>(null);
  const found = searchChats(summaries, typed.trim());
  const remove = async ({ id, title }: ChatSummary): Promise<void> => {
    if (id === shown) onRemove();
    const undo = await saved.remove(id);
    if (undo !== null) notify.undoable(t.playground.deleted(title), () => void undo());
  };
  return (
    <section aria-label={t.playground.conversations} className="flex min-h-0 min-w-0 grow flex-col">
      <label className="flex h-9 shrink-0 items-center gap-2 border-b border-line px-3 text-faint focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-focus">
        <Search size={14} aria-hidden className="shrink-0" />
        <span className="sr-only">{t.playground.searchConversations}</span>
        <input
          type="search"
          value={typed}
          placeholder={t.playground.searchConversations}
          onChange={(event) => setTyped(event.target.value)}
          className="min-w-0 grow bg-transparent text-text outline-none placeholder:text-faint"
        />
      </label>
      {found.length === 0 && (
        <p className="px-3 py-3 text-muted">
          {summaries.length === 0 ? t.playground.noneKept : t.playground.noneFound}
        </p>
      )}
      <ul className="flex min-h-0 grow flex-col overflow-y-auto p-1.5">
        {found.map((summary) => (
          <li
            key={summary.id}
            className={`group flex shrink-0 items-center rounded-md [contain-intrinsic-size:auto_44px] [content-visibility:auto] hover:bg-hover ${summary.id === shown ? "bg-pressed" : ""}`}
          >
            <button
              type="button"
              aria-current={summary.id === shown ? "true" : undefined}
              onClick={() => onOpen(summary.id)}
              className="min-w-0 grow rounded-md px-2 py-1 text-left -outline-offset-2"
            >
              <span className="block truncate">{summary.title}</span>
              <span className="block text-meta text-muted">
                {running.has(summary.id) ? t.playground.statuses.running : <Moment at={summary.at} />}
              </span>
            </button>
            <Menu
              align="end"
              trigger={
                <IconButton label={t.app.actions(summary.title)}>
                  <Ellipsis size={14} aria-hidden />
                </IconButton>
              }
            >
              <MenuItem onSelect={() => setRenamed(summary)}>{t.playground.rename}</MenuItem>
              <MenuItem danger onSelect={() => void remove(summary)}>
                {t.playground.deleteConversation}
              </MenuItem>
            </Menu>
          </li>
        ))}
      </ul>
      <p className="shrink-0 border-t border-line px-3 py-1.5 text-meta text-faint">
        {refused ? t.playground.notKept : t.playground.keptHere}
      </p>
      <RenameDialog
        summary={renamed}
        onClose={() => setRenamed(null)}
        onRename={(id, title) => void saved.rename(id, title)}
      />
    </section>
  );
}

interface RenameDialogProps {
  readonly summary: ChatSummary | null;
  readonly onClose: () => void;
  readonly onRename: (id: string, title: string) => void;
}

function RenameDialog({ summary, onClose, onRename }: RenameDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal open={summary !== null} onClose={onClose} title={t.playground.renameTitle} size="small">
      {summary !== null && (
        <RenameForm
          key={summary.id}
          title={summary.title}
          onClose={onClose}
          onRename={(title) => {
            onRename(summary.id, title);
            onClose();
          }}
        />
      )}
    </Modal>
  );
}

interface RenameFormProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onRename: (title: string) => void;
}

function RenameForm({ title, onClose, onRename }: RenameFormProps): ReactNode {
  const t = useMessages();
  const [typed, setTyped] = useState(title);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onRename(typed.trim());
      }}
    >
      <div className="px-4 pt-3">
        <TextField
          label={t.playground.nameOfConversation}
          value={typed}
          maxLength={80}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary">
          {t.app.save}
        </Button>
      </ModalFooter>
    </form>
  );
}
