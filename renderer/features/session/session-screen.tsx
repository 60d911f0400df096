import { useState, type FormEvent, type ReactNode } from "react";
import { tokenFrom, type Session, type SessionState } from "../../api/session.ts";
import { Mark } from "../../components/mark.tsx";
import { Button } from "../../components/ui/button.tsx";
import { CopyIcon } from "../../components/ui/copy.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { useMessages } from "../../lib/i18n.tsx";

/** The line that opens the pages, as Postern wrote it into this one; a development server writes none. */
const COMMAND =
  document.querySelector<HTMLMetaElement>("meta[name=postern-command]")?.content ?? "npm run postern -- open";

/** Shows how to open the pages while there is no session. */
export function SessionScreen({
  session,
  state,
}: {
  readonly session: Session;
  readonly state: SessionState;
}): ReactNode {
  const t = useMessages();
  if (state.status !== "closed") {
    return (
      <main className="flex h-dvh items-center justify-center" aria-busy="true">
        <p className="late flex items-center gap-2 text-muted">
          <Mark /> {t.session.opening}
        </p>
      </main>
    );
  }
  return (
    <main className="flex min-h-dvh items-start justify-center overflow-y-auto px-3 pt-[14vh] pb-8">
      <div className="panel w-full max-w-115 p-5">
        <span className="text-accent-text">
          <Mark size={24} />
        </span>
        <h1 className="mt-3 text-title font-semibold">{t.session.title}</h1>
        <p className="mt-1 text-muted">
          {state.message === null ? t.session.reasons[state.reason] : t.errors.quoted(state.message)}
        </p>
        <p className="mt-4">{t.session.how}</p>
        <div className="mt-1.5 flex items-center rounded-md border border-line bg-canvas pr-0.5 pl-3">
          <code className="min-w-0 grow py-1.5 font-mono text-meta wrap-anywhere">{COMMAND}</code>
          <CopyIcon text={COMMAND} label={t.app.copy} />
        </div>
        <PasteForm session={session} />
        <p className="mt-4 border-t border-line pt-3 text-meta text-faint">{t.session.why}</p>
      </div>
    </main>
  );
}

function PasteForm({ session }: { readonly session: Session }): ReactNode {
  const t = useMessages();
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const token = tokenFrom(text);
    if (token === null) setError(t.session.pasteInvalid);
    else void session.open(token);
  };
  return (
    <form onSubmit={submit} noValidate className="mt-4 flex flex-wrap items-start gap-2">
      <TextField
        className="grow basis-56"
        label={t.session.paste}
        placeholder={t.session.pastePlaceholder}
        mono
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.target.value);
          setError(undefined);
        }}
      />
      <Button type="submit" className="mt-6 h-8!">
        {t.session.open}
      </Button>
    </form>
  );
}
