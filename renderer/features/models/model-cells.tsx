import {
  AudioLines,
  Binary,
  Captions,
  ChevronDown,
  ChevronRight,
  Clapperboard,
  Image,
  ImageUpscale,
  MessageSquare,
  ShieldCheck,
  Tag,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { EndMark } from "../../components/end-mark.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { ProviderGlyph } from "../../components/glyph.tsx";
import { Takes } from "../../components/model-picker/takes.tsx";
import { nothing } from "../../components/ui/figures.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { getAbilities, type Ability } from "./model-filter.ts";
import type { GroupRow } from "./model-groups.ts";
import { narrowPrice, shortPrice, sourceInWords } from "./price-words.ts";

const icons: Record<Ability, LucideIcon> = {
  chat: MessageSquare,
  embedding: Binary,
  speech: AudioLines,
  transcription: Captions,
  image: Image,
  image_edit: ImageUpscale,
  video: Clapperboard,
  moderation: ShieldCheck,
};

/** Capabilities of a model, and whether it certainly takes pictures and tools, as labelled icons. */
export function Abilities({ model }: { readonly model: ModelView }): ReactNode {
  const t = useMessages();
  const able = getAbilities(model);
  if (able.length === 0) return nothing;
  return (
    <span className="flex items-center gap-1.5 text-muted">
      {able.map((ability) => {
        const Icon = icons[ability];
        return (
          <span key={ability} title={t.models.abilities[ability]} className="flex">
            <Icon size={14} aria-hidden />
            <span className="sr-only">{t.models.abilities[ability]} </span>
          </span>
        );
      })}
      <Takes model={model} size={14} />
    </span>
  );
}

/** Badge of a model whose calls by id go to another model, or to a route of its name. */
function HiddenMark({ id, by }: { readonly id: string; readonly by: string }): ReactNode {
  const t = useMessages();
  return by === id ? (
    <span title={t.models.routed}>
      <Badge>{t.models.routedMark}</Badge>
    </span>
  ) : (
    <span title={t.models.hidden(by)}>
      <Badge tone="warning">{t.models.hiddenMark}</Badge>
    </span>
  );
}

/** The id, with a mark if calls by it go elsewhere. */
export function ModelId({ model, flat }: { readonly model: ModelView; readonly flat: boolean }): ReactNode {
  const t = useMessages();
  return (
    <span className={`flex min-w-0 items-center gap-2 ${flat ? "" : "pl-5 max-wide:pl-1"}`}>
      {flat && <ProviderGlyph id={model.provider || model.owner} name={model.group || model.owner} />}
      <code className="truncate font-mono text-meta" title={model.id}>
        {model.id}
      </code>
      {flat && model.sandbox && (
        <span title={t.models.sandboxHelp} className="striped shrink-0 text-meta max-wide:hidden">
          {t.models.sandbox}
        </span>
      )}
      {flat && !model.served && (
        <span title={t.models.awayHelp} className="max-wide:hidden">
          <Badge>{t.models.away}</Badge>
        </span>
      )}
      <EndMark model={model} />
      {model.hidden_by !== null && <HiddenMark id={model.id} by={model.hidden_by} />}
    </span>
  );
}

export interface GroupHeadingProps {
  readonly row: GroupRow;
  /** Absent while a filter is on: then all groups are open. */
  readonly onToggle: ((row: GroupRow) => void) | null;
}

export function GroupHeading({ row, onToggle }: GroupHeadingProps): ReactNode {
  const t = useMessages();
  const name = row.away ? t.models.away : row.group;
  const words = (
    <>
      {!row.away && <ProviderGlyph id={row.provider} name={row.group} />}
      <span className="truncate font-medium">{name}</span>
      <span aria-hidden className="numeric shrink-0 text-meta text-faint max-wide:hidden">
        {formatCount(row.count)}
      </span>
      <span className="sr-only"> {t.models.count(formatCount(row.count))} </span>
      {row.sandbox && (
        <span title={t.models.sandboxHelp} className="striped shrink-0 text-meta">
          {t.models.sandbox}
        </span>
      )}
    </>
  );
  if (onToggle === null) return <span className="flex min-w-0 items-center gap-2 pl-5">{words}</span>;
  const Chevron = row.open ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={row.open}
      onClick={() => onToggle(row)}
      className="flex h-7 w-full min-w-0 items-center gap-2 rounded-sm text-left -outline-offset-2"
    >
      <Chevron size={13} aria-hidden className="-mr-0.5 shrink-0 text-faint" />
      {words}
    </button>
  );
}

export interface ModelPriceProps {
  readonly model: ModelView;
  readonly onSetPrice: (model: ModelView) => void;
}

/** A price in brief; for an unpriced model a link to set one. */
export function ModelPrice({ model, onSetPrice }: ModelPriceProps): ReactNode {
  const t = useMessages();
  if (model.price === null) {
    return (
      <button
        type="button"
        title={`${t.money.unpricedHelp} ${t.models.setPriceOf(model.id)}`}
        aria-label={`${t.money.unpriced}. ${t.models.setPriceOf(model.id)}`}
        onClick={() => onSetPrice(model)}
        className="flex h-6 items-center rounded-sm hover:underline"
      >
        <Badge tone="warning">
          {t.money.unpriced}
          <Tag size={12} aria-hidden className="ml-1" />
        </Badge>
      </button>
    );
  }
  const words = shortPrice(model.price, t);
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="numeric truncate max-wide:text-meta" title={`${words} · ${sourceInWords(model, t)}`}>
        <span className="max-wide:hidden">{words}</span>
        <span className="wide:hidden">{narrowPrice(model.price, t)}</span>
      </span>
      {model.own_price && (
        <span title={t.models.ownHelp} className="flex max-wide:hidden">
          <Badge tone="info">{t.models.own}</Badge>
        </span>
      )}
    </span>
  );
}
