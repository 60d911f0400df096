import { useState, type ReactNode } from "react";
import type { AppliedClient, ClientView } from "../../../gateway/contract/clients.ts";
import { chatModels, type Choice } from "../../../gateway/contract/likely-models.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useModels } from "../../api/queries.ts";
import { Button } from "../ui/button.tsx";
import { Modal, ModalFooter } from "../ui/dialog.tsx";
import { Failure, SkeletonRows } from "../ui/states.tsx";
import { useSentence } from "../ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { getDraft, createPlanInput, readLimit, type ClientDraft } from "./client-draft.ts";
import { ConnectOptions } from "./connect-options.tsx";
import { Done } from "./connect-done.tsx";
import { FileChanges } from "./file-changes.tsx";
import { useClientPlan, useRenewClients } from "./use-clients.ts";
import { useBusy } from "../ui/use-busy.ts";

export interface ConnectDialogProps {
  readonly client: ClientView | null;
  readonly onClose: () => void;
  /** Element that gets the focus afterwards, if the opener may be gone by then. */
  readonly returnFocus?: () => HTMLElement | null;
}

/** Choose, see the change, write it, see it work. */
export function ConnectDialog({ client, onClose, returnFocus }: ConnectDialogProps): ReactNode {
  const t = useMessages();
  const [applied, setApplied] = useState<AppliedClient | null>(null);
  const close = (): void => {
    onClose();
    setApplied(null);
  };
  const name = client?.name ?? "";
  const secret = applied !== null && applied.secret !== null;
  return (
    <Modal
      open={client !== null}
      onClose={close}
      title={applied === null ? t.clients.named.connect(name) : t.clients.done(name)}
      description={applied === null ? undefined : t.clients.doneHelp}
      size="large"
      {...(returnFocus !== undefined && { returnFocus })}
      // A key that is shown once is not lost by a press next to it.
      dismissible={!secret}
    >
      {client === null ? null : applied !== null ? (
        <Done applied={applied} client={client} onClose={close} />
      ) : (
        <Choosing client={client} onApplied={setApplied} onCancel={close} />
      )}
    </Modal>
  );
}

interface ChoosingProps {
  readonly client: ClientView;
  readonly onApplied: (applied: AppliedClient) => void;
  readonly onCancel: () => void;
}

/** Refetches the models, because right after a provider was added the list may still be the sandbox's. */
function Choosing(props: ChoosingProps): ReactNode {
  const { data: models, error, isFetchedAfterMount, refetch } = useModels({ anew: true });
  if (models !== undefined && isFetchedAfterMount) return <Connecting {...props} choices={chatModels(models)} />;
  return error === null ? <SkeletonRows /> : <Failure error={error} onRetry={() => void refetch()} />;
}

interface ConnectingProps extends ChoosingProps {
  readonly choices: readonly Choice[];
}

function Connecting({ client, choices, onApplied, onCancel }: ConnectingProps): ReactNode {
  const t = useMessages();
  const sentenceOf = useSentence();
  const { client: control } = useGateway();
  const renew = useRenewClients();
  const [edited, setDraft] = useState<ClientDraft | null>(null);
  // The draft follows the models until the user changes it, because lists may still be loading.
  const draft = edited ?? getDraft(client, choices);
  const [failure, setFailure] = useState<unknown>(null);
  const input = createPlanInput(client, draft);
  const plan = useClientPlan(client.id, input);
  const { busy, run } = useBusy((error) => {
    setFailure(error);
    return plan.refetch();
  });
  const limit = readLimit(draft.limit);
  const ready = plan.data !== undefined && !plan.isFetching && plan.error === null;

  const apply = async (): Promise<void> => {
    if (input === null || limit === undefined || plan.data === undefined) return;
    setFailure(null);
    const body = {
      ...input,
      token: plan.data.token,
      ...(limit === null ? {} : { limit_usd: limit }),
      ...(draft.onlyThese ? { only_these_models: true } : {}),
    };
    await run(async () => {
      onApplied(await control.call("connectClient", body, client.id));
      await renew();
    });
  };
  return (
    <>
      <div className="flex flex-col gap-3.5 px-4 pt-3">
        <ConnectOptions
          client={client}
          modelCount={choices.length}
          draft={draft}
          onChange={setDraft}
          limitFails={limit === undefined}
        />
        <section aria-label={t.clients.changes} aria-busy={plan.isFetching || undefined}>
          <h3 className="font-medium">{t.clients.changes}</h3>
          {plan.error !== null && (
            <p role="alert" className="mt-1 text-danger-text wrap-anywhere">
              {sentenceOf(plan.error)}
            </p>
          )}
          {plan.error === null && plan.data !== undefined && input !== null && (
            <>
              <p className="mb-2 text-meta text-muted">
                {client.connected === null ? t.clients.keyToCome(plan.data.key_name) : t.clients.keyStays}
              </p>
              <FileChanges plan={plan.data} />
            </>
          )}
        </section>
        {failure !== null && (
          <p role="alert" className="text-danger-text wrap-anywhere">
            {sentenceOf(failure)}
          </p>
        )}
      </div>
      <ModalFooter>
        <Button onClick={onCancel}>{t.app.cancel}</Button>
        <Button
          look="primary"
          busy={busy}
          disabled={!ready || input === null || limit === undefined}
          onClick={() => void apply()}
        >
          {t.clients.apply}
        </Button>
      </ModalFooter>
    </>
  );
}
