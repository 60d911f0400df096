import {
  AudioLines,
  Binary,
  Captions,
  Clapperboard,
  Image,
  ImageUpscale,
  MessageSquare,
  ShieldCheck,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import type { ModelView, PriceView } from "../../../gateway/contract/model-view.ts";
import { formatCompact, formatRate } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import { ProviderGlyph } from "../glyph.tsx";
import { Takes } from "./takes.tsx";

/** A model in a list: its provider, its id and name, its price, its context window and its capabilities. */
export function ModelRow({ model }: { readonly model: ModelView }): ReactNode {
  const t = useMessages();
  const { id, name, owner, provider, context_length: context } = model;
  return (
    <>
      <ProviderGlyph
        id={owner === "" ? provider : owner}
        name={model.group === "" ? undefined : model.group}
        size={20}
      />
      <span className="min-w-0 grow">
        <span className="flex items-baseline gap-3">
          <span className="min-w-0 grow truncate font-mono text-meta text-text">{id}</span>
          <PriceWords model={model} />
        </span>
        <span className="flex items-center gap-2 text-meta text-muted">
          <span className="min-w-0 grow truncate">{name === id ? "" : name}</span>
          {context !== null && (
            <span className="numeric shrink-0" title={t.modelPicker.contextHelp}>
              {t.modelPicker.context(formatCompact(context))}
            </span>
          )}
          <Abilities model={model} />
        </span>
      </span>
    </>
  );
}

const icons: readonly (readonly [string, LucideIcon])[] = [
  ["chat", MessageSquare],
  ["embedding", Binary],
  ["speech", AudioLines],
  ["transcription", Captions],
  ["image", Image],
  ["image_edit", ImageUpscale],
  ["video", Clapperboard],
  ["moderation", ShieldCheck],
];

function Abilities({ model }: { readonly model: ModelView }): ReactNode {
  const t = useMessages();
  const names: Readonly<Record<string, string>> = t.models.abilities;
  return (
    <span className="flex shrink-0 items-center gap-1">
      {icons.map(([ability, Icon]) =>
        model.capabilities.includes(ability) ? (
          <span key={ability} title={names[ability]} className="flex">
            <Icon size={12} aria-hidden />
            <span className="sr-only">{names[ability]} </span>
          </span>
        ) : null,
      )}
      <Takes model={model} size={12} />
    </span>
  );
}

function PriceWords({ model: { price, sandbox } }: { readonly model: ModelView }): ReactNode {
  const t = useMessages();
  if (price === null) return <span className="shrink-0 text-meta text-warning-text italic">{t.money.unpriced}</span>;
  const { words, help } = getShortRates(price, t);
  return (
    <span title={help} className={`numeric shrink-0 text-meta ${sandbox ? "striped" : "text-muted"}`}>
      {words}
    </span>
  );
}

/** Formats a model's price compactly: input and output per million tokens, else the price per unit. */
function getShortRates(price: PriceView, t: Messages): { readonly words: string; readonly help: string | undefined } {
  const rates = price.tiers[0]?.rates ?? {};
  const all = [rates, ...price.variants.map((variant) => variant.rates)];
  if (all.every((each) => Object.values(each).every((rate) => rate === 0))) {
    return { words: t.models.free, help: undefined };
  }
  for (const unit of ["second", "image", "character", "request"] as const) {
    const found = all.flatMap((each) => each[unit] ?? []);
    if (found.length === 0) continue;
    const written = [...new Set([Math.min(...found), Math.max(...found)])].map((rate) =>
      formatRate(rate, unit === "character" ? 1_000_000 : 1),
    );
    return { words: t.models.per[unit](written.join("–")), help: undefined };
  }
  const million = (rate: number | undefined): string => (rate === undefined ? "–" : formatRate(rate, 1_000_000));
  const output = rates.output ?? rates.image_output ?? rates.audio_output;
  return {
    words: output === undefined ? million(rates.input) : `${million(rates.input)} / ${million(output)}`,
    help: t.modelPicker.priceHelp,
  };
}
