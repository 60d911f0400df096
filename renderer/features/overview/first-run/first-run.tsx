import { X } from "lucide-react";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import type { State } from "../../../../gateway/contract/control.ts";
import { useClients, useConnections, useModels, useRecentRequests } from "../../../api/queries.ts";
import type { RequestFilter } from "../../../api/query-names.ts";
import { IconButton } from "../../../components/ui/button.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { useStored } from "../../../lib/stored.ts";
import { StepCard } from "./step-card.tsx";
import { ToolStep } from "./tool-step.tsx";
import { TryStep } from "./try-step.tsx";
import { useTrial } from "./use-trial.ts";
import { ProviderStep } from "./provider-step.tsx";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";

/** The three steps of the first run. Pure. */
export const steps = ["provider", "tool", "try"] as const;
type Step = (typeof steps)[number];

/**
 * What the owner left out, as it is stored: the data folder, then the steps. It is a preference of whoever looks, and
 * must be known before the first paint, so it lies with the theme in localStorage; another data folder behind the same
 * address starts anew.
 */
export function skippedSteps(stored: string | null, dataDir: string): ReadonlySet<Step> {
  const [folder, ...names] = (stored ?? "").split("\n");
  return new Set(folder === dataDir ? steps.filter((step) => names.includes(step)) : []);
}

export const storedSkips = (dataDir: string, skipped: Iterable<Step>): string => [dataDir, ...skipped].join("\n");

/** Whether a provider has answered already: this month, or among the newest requests. */
function hasRealResponse({ month }: State, newest: readonly Receipt[]): boolean {
  return (
    month.requests > month.errors + month.cancelled_requests ||
    newest.some(({ outcome, sandbox }) => outcome === "completed" && !sandbox)
  );
}

/** The providers that have told what they serve: before that the steps after theirs have nothing of theirs to choose. */
export function heardProviders(connections: readonly Pick<ConnectionView, "name" | "models">[]): string[] {
  return connections.filter(({ models }) => models.checked_at !== null).map(({ name }) => name);
}

const ALL: RequestFilter = {};

export interface FirstRunProps {
  readonly state: State;
  /** Stands in its place when it is over. */
  readonly otherwise: ReactNode;
}

/**
 * The way from nothing to a first response, above the rest of the overview, until a provider has answered or each step is
 * done or left out. What has begun on this page stays to be read, even when it is the response that ends it.
 */
export function FirstRun({ state, otherwise }: FirstRunProps): ReactNode {
  const [stored, store] = useStored("firstRun");
  const { data: newest } = useRecentRequests(ALL);
  const [begun, begin] = useState(false);
  const skipped = skippedSteps(stored, state.data_dir);
  const isOver = skipped.size === steps.length;
  const answered = newest === undefined ? null : hasRealResponse(state, newest.data);

  // Who has had a response is not shown this again when the month is over.
  useEffect(() => {
    if (answered === true && !isOver && !begun) store(storedSkips(state.data_dir, steps));
  }, [answered, isOver, begun, store, state.data_dir]);

  if (isOver || (answered === true && !begun)) return otherwise;
  if (answered === null) return null;
  return (
    <Guide
      state={state}
      answered={answered}
      skipped={skipped}
      onBegin={() => begin(true)}
      onSkip={(left) => store(storedSkips(state.data_dir, new Set([...skipped, ...left])))}
    />
  );
}

interface GuideProps {
  readonly state: State;
  readonly answered: boolean;
  readonly skipped: ReadonlySet<Step>;
  readonly onBegin: () => void;
  readonly onSkip: (steps: readonly Step[]) => void;
}

function Guide({ state, answered, skipped, onBegin, onSkip }: GuideProps): ReactNode {
  const t = useMessages();
  const { data: models = [] } = useModels();
  const { data: connections = [] } = useConnections();
  const providers = heardProviders(connections);
  const { data: clients } = useClients();
  const trial = useTrial();
  const done: Readonly<Record<Step, boolean>> = {
    provider: providers.length > 0,
    tool: clients?.data.some(({ connected }) => connected !== null) ?? false,
    try: answered || trial.state.status === "done",
  };
  const stateOf = (step: Step): "open" | "done" | "skipped" =>
    done[step] ? "done" : skipped.has(step) ? "skipped" : "open";
  const send = (model: string): void => {
    onBegin();
    trial.send(model);
  };
  return (
    <section className="panel" aria-label={t.firstRun.title}>
      <div className="flex min-h-10 items-start gap-2 border-b border-line py-1.5 pr-1.5 pl-3.5">
        <div className="flex min-h-7 min-w-0 grow flex-wrap items-center gap-x-2">
          <h2 className="font-semibold">{t.firstRun.title}</h2>
          <p className="text-muted">
            {answered
              ? t.firstRun.finished
              : state.connections === 0 && state.sandbox.active
                ? t.firstRun.aboutSandbox
                : t.firstRun.about}
          </p>
        </div>
        <IconButton label={t.firstRun.hide} onClick={() => onSkip(steps)}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      <div className="min-[900px]:grid min-[900px]:grid-cols-3">
        <StepCard
          number={1}
          title={t.firstRun.provider}
          state={stateOf("provider")}
          onSkip={() => onSkip(["provider"])}
        >
          <ProviderStep providers={providers} />
        </StepCard>
        <StepCard number={2} title={t.firstRun.app} state={stateOf("tool")} onSkip={() => onSkip(["tool"])}>
          <ToolStep clients={clients?.data ?? []} onBegin={onBegin} />
        </StepCard>
        <StepCard number={3} title={t.firstRun.try} state={stateOf("try")} onSkip={() => onSkip(["try"])}>
          <TryStep
            models={models}
            sandbox={state.sandbox.active && state.connections === 0}
            trial={{ ...trial, send }}
          />
        </StepCard>
      </div>
    </section>
  );
}
