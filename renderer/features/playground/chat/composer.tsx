import { ArrowUp, Square } from "lucide-react";
import { useRef, type FormEvent, type ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { TextAreaField } from "../../../components/ui/field.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { modifier } from "../../../lib/platform.ts";
import type { V1Request } from "../../../api/v1/call-v1.ts";
import { CopyAs } from "../parts/copy-as.tsx";
import { Quote, type QuoteProps } from "../parts/quote.tsx";
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
  readonly quote: Pick<QuoteProps, "ask" | "stamp">;
  /** Begins anew; null where nothing has begun. */
  readonly onNew: (() => void) | null;
}

const MOST_PICTURES = 8;
const MOST_ROWS = 10;

/** Where the next question is written. It stays in sight while a long conversation is read, if the window is high enough. */
export function Composer(props: ComposerProps): ReactNode {
  const t = useMessages();
  const form = useRef<HTMLFormElement>(null);
  const { draft, pictures, running, ready, onChange } = props;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!ready || running) return;
    props.onSend();
    form.current?.querySelector("textarea")?.focus();
  };
  return (
    <form
      ref={form}
      onSubmit={submit}
      aria-label={t.playground.composer}
      className="panel bottom-0 z-10 flex flex-col gap-2.5 p-3 [@media(min-height:600px)]:sticky"
    >
      <TextAreaField
        label={t.playground.message}
        rows={Math.min(MOST_ROWS, Math.max(2, draft.split("\n").length))}
        spellCheck
        value={draft}
        placeholder={t.playground.messageExample}
        onChange={(event) => onChange({ draft: event.target.value })}
      />
      <div className="flex flex-wrap items-end gap-2">
        <PictureField
          bare
          label={t.playground.pictures}
          pictures={pictures}
          most={MOST_PICTURES}
          onChange={(next) => onChange({ pictures: next })}
        />
        <div className="ml-auto flex flex-wrap items-end justify-end gap-2 max-wide:w-full max-wide:justify-start">
          {props.onNew !== null && <Button onClick={props.onNew}>{t.playground.newConversation}</Button>}
          <CopyAs request={props.request} />
          <Quote tool="chat" {...props.quote} />
          {running ? (
            <Button
              look="primary"
              icon={<Square size={12} aria-hidden />}
              className="max-wide:grow"
              onClick={props.onStop}
              title="Esc"
            >
              {t.playground.stop}
            </Button>
          ) : (
            <Button
              type="submit"
              look="primary"
              icon={<ArrowUp size={14} aria-hidden />}
              disabled={!ready}
              className="max-wide:grow"
              title={`${modifier} Enter`}
            >
              {t.playground.send}
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}
