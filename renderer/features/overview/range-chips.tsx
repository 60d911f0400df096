import type { ReactNode } from "react";
import { FilterChip } from "../../components/ui/chip.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { useRoving } from "../../lib/roving.ts";
import { replaceParams } from "../../lib/router.ts";
import { ranges, USUAL_RANGE, type OverviewRange, type ShownFigure } from "./overview-address.ts";

/** Which time all figures of the overview are of. */
export function RangeChips({ range }: { readonly range: OverviewRange }): ReactNode {
  const t = useMessages();
  const roving = useRoving<HTMLFieldSetElement>();
  return (
    <fieldset ref={roving} className="flex flex-wrap items-center gap-1">
      <legend className="sr-only">{t.overview.period}</legend>
      {ranges.map((one) => (
        <FilterChip
          key={one}
          pressed={one === range}
          onPress={() => replaceParams({ range: one === USUAL_RANGE ? null : one })}
        >
          {t.overview.ranges[one]}
        </FilterChip>
      ))}
    </fieldset>
  );
}

/** Whether the chart shows spend or requests. */
export function FigureChips({ shown }: { readonly shown: ShownFigure }): ReactNode {
  const t = useMessages();
  const roving = useRoving<HTMLFieldSetElement>();
  const chip = (figure: ShownFigure, show: string, label: string): ReactNode => (
    <FilterChip pressed={shown === figure} onPress={() => replaceParams({ show })}>
      {label}
    </FilterChip>
  );
  return (
    <fieldset ref={roving} className="flex gap-1">
      <legend className="sr-only">{t.overview.show}</legend>
      {chip("nano", "spend", t.overview.spend)}
      {chip("requests", "requests", t.overview.requests)}
    </fieldset>
  );
}
