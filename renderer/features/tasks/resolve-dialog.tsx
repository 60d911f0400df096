import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { useId, useState, type FormEvent, type ReactNode } from "react";
import type { TaskDetail } from "../../../gateway/contract/tasks.ts";
import { Button } from "../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { formatMoney } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { TaskActions } from "./use-task-actions.ts";

const LONGEST_ID = 200;

export interface ResolveDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly task: TaskDetail;
  readonly actions: TaskActions;
}

/** Lets the user resolve an unknown task, with the financial effect of each choice. */
export function ResolveDialog({ open, onClose, ...rest }: ResolveDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal open={open} onClose={onClose} title={t.tasks.resolveTitle} description={t.tasks.resolveHelp}>
      <ResolveForm onClose={onClose} {...rest} />
    </Modal>
  );
}

function ResolveForm({ onClose, task, actions }: Omit<ResolveDialogProps, "open">): ReactNode {
  const t = useMessages();
  const [verdict, setVerdict] = useState<"arrived" | "never">("arrived");
  const [id, setId] = useState("");
  const [errors, setErrors] = useState<{ readonly id?: string }>({});
  const form = useFocusInvalid(errors);
  const reserved = task.held_nano > 0 ? formatMoney(task.held_nano) : t.tasks.heldNothing;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (actions.busy !== null) return;
    const given = id.trim();
    if (verdict === "arrived" && (given === "" || given.length > LONGEST_ID))
      return setErrors({ id: t.tasks.invalidProviderId });
    setErrors({});
    const resolution = verdict === "arrived" ? { provider_task_id: given } : { never_arrived: true as const };
    if (await actions.resolve(resolution)) onClose();
  };

  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <div className="px-4 pt-3">
        <RadioGroup
          value={verdict}
          onValueChange={(next) => setVerdict(next === "never" ? "never" : "arrived")}
          aria-label={t.tasks.resolveTitle}
          className="flex flex-col gap-2"
        >
          <Choice value="arrived" label={t.tasks.arrived} help={t.tasks.arrivedHelp(reserved)} />
          {verdict === "arrived" && (
            <TextField
              className="pl-6"
              label={t.tasks.providerId}
              help={t.tasks.providerIdHelp}
              mono
              value={id}
              error={errors.id}
              onChange={(event) => setId(event.target.value)}
            />
          )}
          <Choice value="never" label={t.tasks.never} help={t.tasks.neverHelp(reserved)} />
        </RadioGroup>
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary" busy={actions.busy === "resolve"}>
          {t.tasks.settle}
        </Button>
      </ModalFooter>
    </form>
  );
}

function Choice({
  value,
  label,
  help,
}: {
  readonly value: string;
  readonly label: string;
  readonly help: string;
}): ReactNode {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <Radio.Root
        value={value}
        aria-labelledby={id}
        aria-describedby={`${id}-help`}
        className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-line-strong bg-surface data-checked:border-accent data-checked:bg-accent"
      >
        <Radio.Indicator className="size-1.5 rounded-full bg-on-accent forced-colors:bg-[Highlight]" />
      </Radio.Root>
      <div className="min-w-0">
        <p id={id} className="font-medium">
          {label}
        </p>
        <p id={`${id}-help`} className="text-muted">
          {help}
        </p>
      </div>
    </div>
  );
}
