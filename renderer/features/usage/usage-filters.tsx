import { useState, type FormEvent, type ReactNode } from "react";
import { Button } from "../../components/ui/button.tsx";
import { FilterChip } from "../../components/ui/chip.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { TextField } from "../../components/ui/field.tsx";
import { useFocusInvalid } from "../../lib/focus-invalid.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { daysBetween, dayStart, groupingOf, groupings, periodOf, ranges, USUAL_RANGE } from "./usage-address.ts";
import { utcDay } from "./utc-words.ts";

/** Which time is shown and by what, as chips; both live in the address. */
export function UsageFilters({ params }: { readonly params: URLSearchParams }): ReactNode {
  const { t, language } = useSpeech();
  const [choosing, setChoosing] = useState(false);
  const period = periodOf(params);
  const by = groupingOf(params);
  const dayWords = (day: string): string => utcDay(dayStart(day) ?? 0, language);
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-6 gap-y-2">
      <fieldset className="flex flex-wrap items-center gap-1">
        <legend className="sr-only">{t.usage.period}</legend>
        {ranges.map((range) => (
          <FilterChip
            key={range}
            pressed={"range" in period && period.range === range}
            onPress={() => replaceParams({ range: range === USUAL_RANGE ? null : range, from: null, to: null })}
          >
            {t.usage.ranges[range]}
          </FilterChip>
        ))}
        <FilterChip pressed={"since" in period} onPress={() => setChoosing(true)}>
          {"since" in period ? t.usage.between(dayWords(period.since), dayWords(period.until)) : t.usage.custom}
        </FilterChip>
      </fieldset>
      <fieldset className="flex flex-wrap items-center gap-1">
        <legend className="sr-only">{t.usage.by}</legend>
        <span aria-hidden className="mr-1 text-meta text-faint">
          {t.usage.by}
        </span>
        {groupings.map((one) => (
          <FilterChip
            key={one}
            pressed={by === one}
            onPress={() => replaceParams({ by: one === "model" ? null : one })}
          >
            {t.usage.groupings[one]}
          </FilterChip>
        ))}
      </fieldset>
      <Modal open={choosing} onClose={() => setChoosing(false)} title={t.usage.customTitle} size="small">
        <DaysForm params={params} onClose={() => setChoosing(false)} />
      </Modal>
    </div>
  );
}

function DaysForm({ params, onClose }: { readonly params: URLSearchParams; readonly onClose: () => void }): ReactNode {
  const t = useMessages();
  const [days, setDays] = useState(() => {
    const today = new Date().toISOString().slice(0, 10);
    return { from: params.get("from") ?? today, to: params.get("to") ?? today };
  });
  const [errors, setErrors] = useState<{ readonly from?: string }>({});
  const form = useFocusInvalid(errors);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (daysBetween(days.from, days.to) === null) return setErrors({ from: t.usage.invalidDays });
    replaceParams({ range: null, from: days.from, to: days.to });
    onClose();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <div className="grid grid-cols-2 gap-3 px-4 pt-3">
        {(["from", "to"] as const).map((end) => (
          <TextField
            key={end}
            type="date"
            label={t.usage[end]}
            value={days[end]}
            error={end === "from" ? errors.from : undefined}
            onChange={(event) => setDays({ ...days, [end]: event.target.value })}
          />
        ))}
      </div>
      <ModalFooter>
        <Button onClick={onClose}>{t.app.cancel}</Button>
        <Button type="submit" look="primary">
          {t.usage.apply}
        </Button>
      </ModalFooter>
    </form>
  );
}
