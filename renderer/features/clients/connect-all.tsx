import { useState, type ReactNode } from "react";
import type { AppliedClient, ClientCheck, ClientView } from "../../../gateway/contract/clients.ts";
import { chatModels, type Choice } from "../../../gateway/contract/likely-models.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useModels } from "../../api/queries.ts";
import { CheckResult } from "../../components/clients/check-result.tsx";
import { createPlanInput, getDraft } from "../../components/clients/client-draft.ts";
import { AppliedSecret } from "../../components/clients/connect-done.tsx";
import { FileChanges } from "../../components/clients/file-changes.tsx";
import { useClientPlan, useRenewClients } from "../../components/clients/use-clients.ts";
import { AppGlyph } from "../../components/glyph.tsx";
import { Button } from "../../components/ui/button.tsx";
import { CheckBox } from "../../components/ui/check-box.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useSentence } from "../../components/ui/toasts.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { useMessages } from "../../lib/i18n.tsx";

/** Result of one app. */
interface Outcome {
  readonly client: ClientView;
  readonly applied: AppliedClient | null;
  readonly checks: readonly ClientCheck[];
  readonly failure: unknown;
  readonly isUndone: boolean;
}

export interface ConnectAllProps {
  /** The apps that were found and are not connected; null while the dialog is closed. */
  readonly clients: readonly ClientView[] | null;
  readonly onClose: () => void;
}

/** Connects all detected apps: shows the changes, then the results, with an undo. */
export function ConnectAllDialog({ clients, onClose }: ConnectAllProps): ReactNode {
  const t = useMessages();
  return (
    <Modal
      open={clients !== null}
      onClose={onClose}
      title={t.clients.all.title}
      description={t.clients.all.help}
      size="large"
    >
      {clients !== null && <Loading clients={clients} onClose={onClose} />}
    </Modal>
  );
}

interface LoadedProps {
  readonly clients: readonly ClientView[];
  readonly onClose: () => void;
}

function Loading(props: LoadedProps): ReactNode {
  const { data: models, error, refetch } = useModels();
  if (models !== undefined) return <ConnectingAll {...props} choices={chatModels(models)} />;
  return error === null ? <SkeletonRows /> : <Failure error={error} onRetry={() => void refetch()} />;
}

interface ConnectingAllProps extends LoadedProps {
  readonly choices: readonly Choice[];
}

function ConnectingAll({ clients: found, choices, onClose }: ConnectingAllProps): ReactNode {
  const t = useMessages();
  const { client: control } = useGateway();
  const renew = useRenewClients();
  const { busy, run } = useBusy();
  // The list stays as it was when the dialog opened: a connected app is no longer found.
  const [clients] = useState(found);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [outcomes, setOutcomes] = useState<readonly Outcome[] | null>(null);
  const chosen = clients.filter(({ id }) => !left.has(id));
  const connect = (client: ClientView): Promise<Outcome> =>
    settle(client, async () => {
      const input = createPlanInput(client, getDraft(client, choices));
      if (input === null) throw new Error(t.clients.noModels);
      const { token } = await control.call("planClient", input, client.id);
      const applied = await control.call("connectClient", { ...input, token }, client.id);
      return { applied, checks: (await control.call("checkClient", {}, client.id)).data };
    });
  const undo = (done: Outcome): Promise<Outcome> =>
    settle(done.client, async () => {
      const { token } = await control.call("planClientUndo", {}, done.client.id);
      await control.call("undoClient", { token }, done.client.id);
      return { isUndone: true };
    });
  const runEach = (works: readonly (() => Promise<Outcome>)[]): Promise<boolean> =>
    run(async () => {
      const done: Outcome[] = [];
      for (const work of works) {
        done.push(await work());
        setOutcomes([...done]);
      }
      await renew();
    });
  if (outcomes !== null)
    return (
      <>
        <ul className="flex flex-col gap-3 px-4 pt-3">
          {outcomes.map((outcome) => (
            <OutcomeItem key={outcome.client.id} outcome={outcome} />
          ))}
        </ul>
        {busy && <SkeletonRows rows={2} />}
        <ModalFooter>
          <Button
            busy={busy}
            disabled={outcomes.every(({ applied }) => applied === null)}
            onClick={() =>
              void runEach(
                outcomes.map((outcome) => () => (outcome.applied === null ? Promise.resolve(outcome) : undo(outcome))),
              )
            }
          >
            {t.clients.all.undo}
          </Button>
          <Button look="primary" disabled={busy} onClick={onClose}>
            {t.clients.close}
          </Button>
        </ModalFooter>
      </>
    );
  return (
    <>
      <ul className="flex flex-col gap-2 px-4 pt-3">
        {clients.map((client) => (
          <FoundItem
            key={client.id}
            client={client}
            choices={choices}
            isChosen={!left.has(client.id)}
            onChange={(isChosen) =>
              setLeft(new Set(isChosen ? [...left].filter((id) => id !== client.id) : [...left, client.id]))
            }
          />
        ))}
      </ul>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button
          look="primary"
          busy={busy}
          disabled={chosen.length === 0}
          onClick={() => void runEach(chosen.map((client) => () => connect(client)))}
        >
          {t.clients.all.connect(chosen.length)}
        </Button>
      </ModalFooter>
    </>
  );
}

/** Returns the result of one app, whether it worked or not. */
async function settle(client: ClientView, work: () => Promise<Partial<Outcome>>): Promise<Outcome> {
  const start: Outcome = { client, applied: null, checks: [], failure: null, isUndone: false };
  try {
    return { ...start, ...(await work()) };
  } catch (failure) {
    return { ...start, failure };
  }
}

interface FoundItemProps {
  readonly client: ClientView;
  readonly choices: readonly Choice[];
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

function FoundItem({ client, choices, isChosen, onChange }: FoundItemProps): ReactNode {
  const t = useMessages();
  const sentenceOf = useSentence();
  const [isOpen, setOpen] = useState(false);
  const input = createPlanInput(client, getDraft(client, choices));
  const { data: plan, error } = useClientPlan(client.id, isOpen ? input : null);
  return (
    <li className="min-w-0">
      <div className="flex items-center gap-2">
        <AppGlyph id={client.id} name={client.name} size={20} />
        <div className="min-w-0 grow">
          <CheckBox checked={isChosen} onChange={onChange} label={client.name} />
        </div>
        <Button
          look="quiet"
          aria-expanded={isOpen}
          aria-label={t.clients.all.changesOf(client.name)}
          onClick={() => setOpen(!isOpen)}
        >
          {t.clients.changes}
        </Button>
      </div>
      {isOpen && error !== null && <p className="text-danger-text wrap-anywhere">{sentenceOf(error)}</p>}
      {isOpen && error === null && plan !== undefined && <FileChanges plan={plan} />}
    </li>
  );
}

function OutcomeItem({ outcome }: { readonly outcome: Outcome }): ReactNode {
  const t = useMessages();
  const sentenceOf = useSentence();
  const { client, applied, checks, failure, isUndone } = outcome;
  return (
    <li className="min-w-0">
      <p className="flex items-center gap-2 font-medium">
        <AppGlyph id={client.id} name={client.name} size={20} />
        {client.name}
      </p>
      {failure !== null && (
        <p role="alert" className="text-danger-text wrap-anywhere">
          {sentenceOf(failure)}
        </p>
      )}
      {isUndone && <p className="text-muted">{t.clients.undone(client.name)}</p>}
      {applied !== null && <AppliedSecret applied={applied} />}
      {checks.map((check) => (
        <CheckResult key={check.part} check={check} />
      ))}
    </li>
  );
}
