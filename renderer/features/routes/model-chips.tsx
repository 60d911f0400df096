import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { useConnections, useModels } from "../../api/queries.ts";
import { EndMark } from "../../components/end-mark.tsx";
import { ProviderGlyph } from "../../components/glyph.tsx";
import { Dot } from "../../components/ui/badge.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { getHealthOfModel } from "./model-health.ts";

export interface ModelChipsProps {
  /** Label of the models' list. */
  readonly label: string;
  readonly models: readonly string[];
  /** Models that no connection serves. */
  readonly unserved: readonly string[];
}

/** A chain as a row: models with their health, in order. */
export function ModelChips({ label, models, unserved }: ModelChipsProps): ReactNode {
  const t = useMessages();
  return (
    <ol aria-label={label} className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1.5">
      {models.map((id, at) => (
        <li key={id} className="flex max-w-full min-w-0 items-center gap-1.5">
          {at > 0 && <ArrowRight size={13} aria-label={t.routes.next} className="shrink-0 text-faint" />}
          <ModelChip id={id} unserved={unserved.includes(id)} />
        </li>
      ))}
    </ol>
  );
}

/** A model by id, with its owner's glyph; without one if it is not served. */
export function ModelName({ id, model }: { readonly id: string; readonly model: ModelView | undefined }): ReactNode {
  return (
    <>
      {model !== undefined && (
        <ProviderGlyph
          id={model.owner === "" ? model.provider : model.owner}
          name={model.group === "" ? undefined : model.group}
        />
      )}
      <code className="truncate font-mono text-meta" title={id}>
        {id}
      </code>
      <EndMark model={model} />
    </>
  );
}

function ModelChip({ id, unserved }: { readonly id: string; readonly unserved: boolean }): ReactNode {
  const t = useMessages();
  const { data: models = [] } = useModels();
  const model = models.find((each) => each.id === id || each.aliases.includes(id));
  return (
    <span
      className={`inline-flex h-6 min-w-0 items-center gap-1.5 rounded-full border px-2 ${
        unserved ? "border-dashed border-line-strong text-muted" : "border-line bg-canvas"
      }`}
    >
      <ModelName id={id} model={model} />
      {unserved ? (
        <span className="shrink-0 text-meta text-warning-text" title={t.routes.unservedHelp}>
          {t.routes.unserved}
        </span>
      ) : (
        <Health id={model?.id ?? id} />
      )}
    </span>
  );
}

/** A dot if healthy, else with a label. */
function Health({ id }: { readonly id: string }): ReactNode {
  const t = useMessages();
  const { data: models = [] } = useModels();
  const { data: connections = [] } = useConnections();
  const model = models.find((each) => each.id === id);
  const health = model === undefined ? null : getHealthOfModel(model, connections);
  if (health === null) return null;
  const { state, tone } = health;
  const trouble = tone === "warning" || tone === "danger";
  return (
    <span className="flex shrink-0 items-center gap-1 text-meta" title={t.connections.states[state]}>
      <Dot tone={tone} />
      <span className={trouble ? "" : "sr-only"}>{t.connections.states[state]}</span>
    </span>
  );
}
