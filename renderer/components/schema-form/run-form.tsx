import { Play, Square } from "lucide-react";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { modifier } from "../../lib/platform.ts";

export interface RunFormProps {
  /** Name of the form; without it, its children name it. */
  readonly label?: string;
  readonly running: boolean;
  /** Whether it is being stopped. */
  readonly stopping?: boolean;
  /** Whether there is enough to send. */
  readonly ready: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
  readonly stopLabel: string;
  /** Whether Escape stops the run; in a dialog it closes that instead. */
  readonly stopsByKey?: boolean;
  /** Refused fields: a new object at each refusal. */
  readonly faults: object;
  /** Quieter actions next to the one that sends. */
  readonly actions: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A form whose response appears next to it: Ctrl or Command with Enter sends. */
export function RunForm(props: RunFormProps): ReactNode {
  const { label, running, stopping = false, ready, stopsByKey = false, stopLabel, faults, onSend, onStop } = props;
  const t = useMessages();
  const form = useFocusInvalid(faults);
  const send = (): void => {
    if (ready && !running) onSend();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (stopsByKey && event.key === "Escape" && running) {
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
      className={`flex min-w-0 flex-col gap-3.5 ${props.className ?? ""}`}
    >
      {props.children}
      <div className="flex flex-wrap items-center justify-end gap-2 max-wide:[&>button]:grow">
        {props.actions}
        {running ? (
          <Button look="primary" icon={<Square size={12} aria-hidden />} busy={stopping} onClick={onStop}>
            {stopLabel}
          </Button>
        ) : (
          <Button
            type="submit"
            look="primary"
            icon={<Play size={13} aria-hidden />}
            disabled={!ready}
            title={`${modifier} Enter`}
          >
            {t.form.run}
          </Button>
        )}
      </div>
    </form>
  );
}
