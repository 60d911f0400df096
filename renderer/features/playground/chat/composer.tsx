import { ArrowUp, Square } from "lucide-react";
import { useRef, type KeyboardEvent, type ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import type { V1Request } from "../../../api/v1/call-v1.ts";
import { CopyAs } from "../parts/copy-as.tsx";
import { PictureField } from "../pictures/picture-field.tsx";
import type { Picture } from "../pictures/picture.ts";

export interface ComposerProps {
  readonly draft: string;
  readonly pictures: readonly Picture[];
  readonly running: boolean;
  readonly ready: boolean;
  readonly onChange: (fields: { readonly draft?: string; readonly pictures?: readonly Picture[] }) => void;
  readonly onSend: () => void;
  readonly onStop: () => void;
  readonly request: () => V1Request | null;
  /** Estimated cost of the next turn. */
  readonly estimate: ReactNode;
  /** Notice to read before pictures are sent. */
  readonly notice: ReactNode;
}

const MOST_PICTURES = 8;
const MOST_ROWS = 10;

/** Field for the next question: Enter sends it, Shift with Enter breaks the line. */
export function Composer(props: ComposerProps): ReactNode {
  const t = useMessages();
  const field = useRef<HTMLTextAreaElement>(null);
  const { draft, pictures, running, ready, onChange } = props;
  const send = (): void => {
    if (!ready || running) return;
    props.onSend();
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // During IME composition, Enter ends the composition.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    send();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      aria-label={t.playground.composer}
      className="flex shrink-0 flex-col gap-2 border-t border-line p-2.5"
    >
      {props.notice}
      <textarea
        ref={field}
        aria-label={t.playground.message}
        rows={Math.min(MOST_ROWS, Math.max(2, draft.split("\n").length))}
        spellCheck
        autoComplete="off"
        value={draft}
        placeholder={t.playground.messageExample}
        onChange={(event) => onChange({ draft: event.target.value })}
        onKeyDown={onKeyDown}
        className="w-full min-w-0 resize-none rounded-md border border-line-strong bg-surface px-2.5 py-1.5 placeholder:text-faint hover:border-faint"
      />
      <div className="flex flex-wrap items-end gap-2">
        <PictureField
          bare
          label={t.playground.pictures}
          pictures={pictures}
          most={MOST_PICTURES}
          onChange={(next) => onChange({ pictures: next })}
        />
        <CopyAs compact request={props.request} />
        <div className="ml-auto flex items-center gap-2.5">
          {props.estimate}
          {running ? (
            <Button look="primary" icon={<Square size={12} aria-hidden />} onClick={props.onStop} title="Esc">
              {t.playground.stop}
            </Button>
          ) : (
            <Button
              type="submit"
              look="primary"
              icon={<ArrowUp size={14} aria-hidden />}
              disabled={!ready}
              title="Enter"
            >
              {t.playground.send}
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}
