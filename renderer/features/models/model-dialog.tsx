import { ChartColumn, FlaskConical, List, Tag, Tags } from "lucide-react";
import type { ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { useGatewayState } from "../../api/queries.ts";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { CopyButton } from "../../components/ui/copy.tsx";
import { Modal } from "../../components/ui/dialog.tsx";
import { CodeFact, Fact } from "../../components/ui/facts.tsx";
import { Section } from "../../components/ui/section.tsx";
import { NoticeLine } from "../../components/ui/states.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate } from "../../lib/router.ts";
import { codeSample } from "../../lib/samples/code-sample.ts";
import { exampleRequest } from "../../lib/samples/example-requests.ts";
import { getAbilities, listInputs, type Take } from "./model-filter.ts";
import { tryModel } from "./model-menu.tsx";
import { PriceList } from "./price-list.tsx";

export interface ModelDialogProps {
  /** Null for none. */
  readonly model: ModelView | null;
  readonly onClose: () => void;
  readonly onSetPrice: (model: ModelView) => void;
  readonly onAlias: (model: ModelView) => void;
}

/** Returns the originating row, or the focusable row if that is no longer rendered. */
const getRowInTable = (): HTMLElement | null => document.querySelector<HTMLElement>("main [data-active]");

/** All that is known of one model, fresh while it is open. */
export function ModelDialog({ model, onClose, ...actions }: ModelDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal
      open={model !== null}
      onClose={onClose}
      title={model?.name ?? t.models.details}
      size="large"
      returnFocus={getRowInTable}
    >
      {model !== null && <ModelDetail model={model} {...actions} />}
    </Modal>
  );
}

function ModelDetail({
  model,
  onSetPrice,
  onAlias,
}: Omit<ModelDialogProps, "model" | "onClose"> & { readonly model: ModelView }): ReactNode {
  const t = useMessages();
  const { data: state } = useGatewayState();
  const able = getAbilities(model);
  const [ability] = able;
  const open = tryModel(model);
  const curl =
    ability === undefined ? null : codeSample("curl", state?.url ?? location.origin, exampleRequest(ability, model.id));
  return (
    <div className="flex flex-col gap-3 px-4 pt-2 pb-4">
      <div className="flex flex-wrap items-center gap-2">
        {open !== null && (
          <Button look="primary" icon={<FlaskConical size={14} aria-hidden />} onClick={open}>
            {t.models.tryIt}
          </Button>
        )}
        <Button icon={<Tags size={14} aria-hidden />} onClick={() => onAlias(model)}>
          {t.models.aliasItem}
        </Button>
        <Button icon={<Tag size={14} aria-hidden />} onClick={() => onSetPrice(model)}>
          {t.models.priceItem}
        </Button>
        <Button
          look="quiet"
          icon={<List size={14} aria-hidden />}
          onClick={() => navigate("requests", { model: model.id })}
        >
          {t.models.showRequests}
        </Button>
        <Button
          look="quiet"
          icon={<ChartColumn size={14} aria-hidden />}
          onClick={() => navigate("usage", { model: model.id })}
        >
          {t.models.showUsage}
        </Button>
      </div>
      <Warnings model={model} />
      <div className="grid gap-x-6 gap-y-3 min-[640px]:grid-cols-2">
        <Section title={t.models.facts}>
          <Facts model={model} />
        </Section>
        <Section title={t.models.prices}>
          <PriceList model={model} />
        </Section>
      </div>
      {curl !== null && (
        <Section title={t.models.example} actions={<CopyButton text={curl} label={t.models.copyCurl} />}>
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be scrolled by keys too.
            tabIndex={0}
            className="overflow-x-auto rounded-md border border-line bg-canvas p-2.5 font-mono text-meta"
          >
            {curl}
          </pre>
        </Section>
      )}
    </div>
  );
}

function Warnings({ model }: { readonly model: ModelView }): ReactNode {
  const t = useMessages();
  return (
    <>
      {!model.served && <NoticeLine level="warning">{t.models.awayHelp}</NoticeLine>}
      {model.hidden_by === model.id && <NoticeLine level="info">{t.models.routed}</NoticeLine>}
      {model.hidden_by !== null && model.hidden_by !== model.id && (
        <NoticeLine level="warning">{t.models.hidden(model.hidden_by)}</NoticeLine>
      )}
      {model.sandbox && (
        <p className="text-muted">
          <span className="striped mr-1.5">{t.models.sandbox}</span>
          {t.models.sandboxHelp}
        </p>
      )}
    </>
  );
}

function Facts({ model }: { readonly model: ModelView }): ReactNode {
  const t = useMessages();
  const tokens = (count: number): string => t.models.contextOf(formatCount(count));
  return (
    <dl className="grid grid-cols-[104px_minmax(0,1fr)] gap-x-3 gap-y-0.5">
      <CodeFact label={t.models.modelId} text={model.id} />
      {model.owner !== "" && <Fact label={t.models.owner}>{model.owner}</Fact>}
      {model.connections.length > 0 && <Fact label={t.models.servedBy}>{model.connections.join(t.app.listed)}</Fact>}
      <Fact label={t.models.capabilities}>
        <span className="flex flex-wrap gap-1">
          {getAbilities(model).map((ability) => (
            <Badge key={ability}>{t.models.abilities[ability]}</Badge>
          ))}
        </span>
      </Fact>
      <TakeNames label={t.models.takes} names={listInputs(model, true)} />
      <TakeNames label={t.models.takesNone} names={listInputs(model, false)} />
      {model.context_length !== null && <Fact label={t.models.context}>{tokens(model.context_length)}</Fact>}
      {model.max_output !== null && <Fact label={t.models.maxOutput}>{tokens(model.max_output)}</Fact>}
      {model.aliases.length > 0 && <Names label={t.models.alias} names={model.aliases} />}
      {model.other_names.length > 0 && <Names label={t.models.otherNames} names={model.other_names} />}
      {model.endpoints.length > 0 && <Names label={t.models.endpoints} names={model.endpoints} />}
    </dl>
  );
}

function TakeNames({ label, names }: { readonly label: string; readonly names: readonly Take[] }): ReactNode {
  const t = useMessages();
  if (names.length === 0) return null;
  return <Fact label={label}>{names.map((take) => t.models.takesNames[take]).join(", ")}</Fact>;
}

function Names({ label, names }: { readonly label: string; readonly names: readonly string[] }): ReactNode {
  return (
    <Fact label={label}>
      {names.map((name) => (
        <code key={name} className="block font-mono text-meta">
          {name}
        </code>
      ))}
    </Fact>
  );
}
