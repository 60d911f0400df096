import { useState, type ReactNode } from "react";
import type { ImportedField } from "../../../gateway/contract/imports.ts";
import { Badge, type Tone } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Section } from "../../components/ui/section.tsx";
import { Segmented } from "../../components/ui/segmented.tsx";
import { useMessages } from "../../lib/i18n.tsx";

const tones: Readonly<Record<ImportedField["fate"], Tone>> = { taken: "success", changed: "info", left: "neutral" };

/** Rows shown before "show all": a set-up may have thousands. */
const FIRST_ROWS = 200;

/** Every field that was found, with what becomes of it. */
export function FieldTable({ fields }: { readonly fields: readonly ImportedField[] }): ReactNode {
  const t = useMessages();
  const [fate, setFate] = useState<ImportedField["fate"] | "all">("all");
  const [isWhole, setWhole] = useState(false);
  const matching = fields.filter((field) => fate === "all" || field.fate === fate);
  const shown = isWhole ? matching : matching.slice(0, FIRST_ROWS);
  const count = (one: ImportedField["fate"]): number => fields.filter((field) => field.fate === one).length;
  return (
    <Section title={t.import.fields(fields.length)}>
      <div className="mb-2">
        <Segmented
          label={t.import.show}
          value={fate}
          onChange={setFate}
          choices={[
            { id: "all", label: t.import.all },
            ...(["taken", "changed", "left"] as const).map((id) => ({
              id,
              label: `${t.import.fates[id]} ${count(id)}`,
            })),
          ]}
        />
      </div>
      {/* Reached by Tab, so that it can be scrolled by keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section tabIndex={0} aria-label={t.import.fate} className="overflow-x-auto rounded-md border border-line">
        <table className="w-full border-collapse text-meta">
          <thead>
            <tr className="border-b border-line text-left text-muted">
              <th scope="col" className="px-3 py-1.5 font-medium">
                {t.import.field}
              </th>
              <th scope="col" className="px-3 py-1.5 font-medium">
                {t.import.value}
              </th>
              <th scope="col" className="px-3 py-1.5 font-medium">
                {t.import.fate}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ field, value, fate: own, becomes, reason }, index) => (
              <tr key={`${index} ${field}`} className="border-b border-line align-top last:border-b-0">
                <td className="px-3 py-1.5 font-mono wrap-anywhere">{field}</td>
                <td className="px-3 py-1.5 font-mono text-muted wrap-anywhere">{value}</td>
                <td className="min-w-48 px-3 py-1.5">
                  <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
                    <Badge tone={tones[own]}>{t.import.fates[own]}</Badge>
                    {becomes !== undefined && <span className="wrap-anywhere">{becomes}</span>}
                    {reason !== undefined && <span className="text-muted">{t.import.reasons[reason]}</span>}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < matching.length && (
        <Button className="mt-2" onClick={() => setWhole(true)}>
          {t.import.showAll(matching.length)}
        </Button>
      )}
    </Section>
  );
}
