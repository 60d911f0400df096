import { X } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { State } from "../../../../gateway/contract/control.ts";
import { useClients, useConnections, useModels } from "../../../api/queries.ts";
import { IconButton } from "../../../components/ui/button.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { ProviderStep } from "./provider-step.tsx";
import { StepCard } from "./step-card.tsx";
import { activeStep, listCheckedProviders, steps, type Step } from "./steps.ts";
import { SuccessLine } from "./success-line.tsx";
import { ToolStep } from "./tool-step.tsx";
import { TryStep } from "./try-step.tsx";
import type { FirstRun } from "./use-first-run.ts";
import { useTrial } from "./use-trial.ts";

export interface GuideProps {
  readonly state: State;
  readonly firstRun: FirstRun;
}

/** First-run guide: a list of steps, with one expanded. */
export function Guide({ state, firstRun }: GuideProps): ReactNode {
  const t = useMessages();
  const { answered, response, skipped, skip, hide } = firstRun;
  const { data: models = [] } = useModels();
  const { data: connections = [] } = useConnections();
  const { data: clients } = useClients();
  const trial = useTrial();
  const [chosen, choose] = useState<Step | null>(null);
  const providers = listCheckedProviders(connections);
  const connected = clients?.data.filter((client) => client.connected !== null) ?? [];
  const sandbox = state.connections === 0 && state.sandbox.active;
  const outcomes: Readonly<Record<Step, string | null>> = {
    provider:
      providers.length === 0
        ? null
        : t.firstRun.providerDone(
            providers.map(({ name }) => name).join(t.app.listed),
            providers.reduce((sum, { models: { count } }) => sum + count, 0),
          ),
    tool: connected.length === 0 ? null : t.firstRun.appDone(connected.map(({ name }) => name).join(t.app.listed)),
    try: answered || trial.state.status === "done" ? "" : null,
  };
  const stateOf = (step: Step): "open" | "done" | "skipped" =>
    outcomes[step] !== null ? "done" : skipped.has(step) ? "skipped" : "open";
  const active = activeStep(chosen, (step) => !answered && stateOf(step) === "open");
  const next = steps.find((step) => step !== active && stateOf(step) === "open");
  const list = useSteadyFocus(active);
  const contents: Readonly<Record<Step, ReactNode>> = {
    provider: <ProviderStep />,
    tool: <ToolStep clients={clients?.data ?? []} onBegin={() => choose("tool")} />,
    try: (
      <TryStep
        models={models}
        sandbox={sandbox}
        trial={{ ...trial, send: (model) => (choose("try"), trial.send(model)) }}
      />
    ),
  };
  return (
    <section className="panel overflow-hidden" aria-label={t.firstRun.title}>
      <div className="flex min-h-10 items-start gap-2 border-b border-line py-1.5 pr-1.5 pl-3.5">
        <div className="flex min-h-7 min-w-0 grow flex-wrap items-center gap-x-2">
          <h2 className="font-semibold">{t.firstRun.title}</h2>
          <p className="text-muted">
            {answered ? t.firstRun.finished : sandbox ? t.firstRun.aboutSandbox : t.firstRun.about}
          </p>
        </div>
        <IconButton label={t.firstRun.hide} onClick={hide}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      {response !== null && <SuccessLine response={response} />}
      <div ref={list}>
        {steps.map((step, place) => (
          <StepCard
            key={step}
            number={place + 1}
            title={t.firstRun.steps[step]}
            state={stateOf(step)}
            outcome={outcomes[step] || null}
            active={step === active}
            onOpen={() => choose(step)}
            onSkip={() => {
              if (step === chosen) choose(null);
              if (steps.every((each) => each === step || stateOf(each) !== "open")) hide();
              else skip(step);
            }}
            onNext={next === undefined ? null : () => choose(next)}
          >
            {contents[step]}
          </StepCard>
        ))}
      </div>
    </section>
  );
}

/** The clicked button may disappear with its step: the focus then moves to the expanded step. */
function useSteadyFocus(active: Step | null): React.RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const before = useRef(active);
  useEffect(() => {
    if (before.current === active) return;
    before.current = active;
    if (document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>("[data-step=active]")?.focus();
  }, [active]);
  return list;
}
