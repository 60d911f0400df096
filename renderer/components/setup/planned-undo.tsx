import { useState, type ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { Button } from "../ui/button.tsx";
import { ModalFooter } from "../ui/dialog.tsx";
import { Failure, SkeletonRows } from "../ui/states.tsx";
import { useSentence } from "../ui/toasts.tsx";
import { useBusy } from "../ui/use-busy.ts";

export interface PlannedUndoProps<Plan> {
  /** The query of what will be undone. */
  readonly query: {
    readonly data: Plan | undefined;
    readonly error: Error | null;
    readonly isFetching: boolean;
    refetch(): Promise<unknown>;
  };
  /** Undoes what was shown. */
  readonly undo: (plan: Plan) => Promise<void>;
  readonly action: string;
  readonly onClose: () => void;
  readonly children: (plan: Plan) => ReactNode;
}

/** Shows what will be undone, and undoes it by a press. What has changed since is shown again after a failure. */
export function PlannedUndo<Plan>({ query, undo, action, onClose, children }: PlannedUndoProps<Plan>): ReactNode {
  const t = useMessages();
  const sentenceOf = useSentence();
  const { data: plan, error, refetch, isFetching } = query;
  const [failure, setFailure] = useState<unknown>(null);
  const { busy, run } = useBusy((reason) => {
    setFailure(reason);
    return refetch();
  });
  const start = async (): Promise<void> => {
    if (plan === undefined) return;
    setFailure(null);
    await run(() => undo(plan));
  };
  return (
    <>
      <div className="flex flex-col gap-3 px-4 pt-3">
        {plan !== undefined ? (
          children(plan)
        ) : error === null ? (
          <SkeletonRows />
        ) : (
          <Failure error={error} onRetry={() => void refetch()} />
        )}
        {failure !== null && (
          <p role="alert" className="text-danger-text wrap-anywhere">
            {sentenceOf(failure)}
          </p>
        )}
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button look="danger" busy={busy} disabled={plan === undefined || isFetching} onClick={() => void start()}>
          {action}
        </Button>
      </ModalFooter>
    </>
  );
}
