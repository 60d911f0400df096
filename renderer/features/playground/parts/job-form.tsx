import { Play, Square } from "lucide-react";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { useFocusInvalid } from "../../../lib/focus-invalid.ts";
import { useMessages } from "../../../lib/i18n.tsx";
import { modifier } from "../../../lib/platform.ts";

export interface JobFormProps {
  readonly label: string;
  readonly running: boolean;
  /** Whether there is enough to send. */
  readonly ready: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
  /** Refused fields: a new object at each refusal. */
  readonly faults: object;
  /** Quieter actions next to the one that sends. */
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** A form whose answer appears next to it: Ctrl or Command with Enter sends, Escape stops. */
export function JobForm({ label, running, ready, faults, onSend, onStop, actions, children }: JobFormProps): ReactNode {
  const t = useMessages();
  const form = useFocusInvalid(faults);
  const send = (): void => {
    if (ready && !running) onSend();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape" && running) {
      event.preventDefault();
      onStop();
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Keys of the form, wherever in it the focus is.
    <form
      ref={form}
      aria-label={label}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      noValidate
      className="panel flex min-w-0 flex-col gap-3.5 self-start p-3.5"
    >
      {children}
      <div className="flex flex-wrap items-center justify-end gap-2 max-wide:[&>button]:grow">
        {actions}
        {running ? (
          <Button look="primary" icon={<Square size={12} aria-hidden />} onClick={onStop} title="Esc">
            {t.playground.stop}
          </Button>
        ) : (
          <Button
            type="submit"
            look="primary"
            icon={<Play size={13} aria-hidden />}
            disabled={!ready}
            title={`${modifier} Enter`}
          >
            {t.playground.run}
          </Button>
        )}
      </div>
    </form>
  );
}
