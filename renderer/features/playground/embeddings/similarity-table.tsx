/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/control-has-associated-label -- What scrolls has to be reached by the keyboard; cells are no controls. */
import { useMemo } from "react";
import type { ReactNode } from "react";
import { CopyButton } from "../../../components/ui/copy.tsx";
import { toTsv } from "../../../lib/csv.ts";
import { formatCount } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.tsx";

/** Texts and what an embedding model made of them, in the same order. */
export interface Vectors {
  readonly texts: readonly string[];
  readonly vectors: readonly (readonly number[])[];
}

/** Max displayed components of a vector. */
const SHOWN = 12;

/** How many vectors of what length, and how close each is to each. */
export function SimilarityTable({ texts, vectors }: Vectors): ReactNode {
  const t = useMessages();
  const rows = useMemo(() => similarities(vectors.slice(0, SHOWN)), [vectors]);
  const tsv = toTsv([
    ["", ...texts.slice(0, SHOWN)],
    ...rows.map((row, index) => [texts[index] ?? "", ...row.map((value) => value.toFixed(4))]),
  ]);
  return (
    <>
      <p className="numeric text-muted">
        {t.playground.vectors(formatCount(vectors.length), formatCount(vectors[0]?.length ?? 0))}
        {vectors.length > SHOWN && ` ${t.playground.firstShown(SHOWN)}`}
      </p>
      <section tabIndex={0} aria-label={t.playground.similarity} className="overflow-x-auto">
        <table className="numeric border-separate border-spacing-0.5">
          <caption className="sr-only">{t.playground.similarity}</caption>
          <thead>
            <tr>
              <td />
              {rows.map((_, index) => (
                <th key={index} scope="col" className="px-2 text-meta font-normal text-muted" title={texts[index]}>
                  {index + 1}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                <th scope="row" className="max-w-60 pr-2 text-start font-normal">
                  <span className="flex min-w-0 gap-1.5">
                    <span className="text-meta text-muted">{index + 1}</span>
                    <span className="truncate" title={texts[index]}>
                      {texts[index]}
                    </span>
                  </span>
                </th>
                {row.map((value, column) => (
                  <td
                    key={column}
                    className="rounded-sm px-2 py-1 text-end"
                    style={{
                      backgroundColor: `color-mix(in oklch, var(--accent) ${computeShade(value)}%, transparent)`,
                    }}
                  >
                    {value.toFixed(3)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div>
        <CopyButton text={tsv} label={t.table.copyTsv} />
      </div>
    </>
  );
}

/** Light enough for text in both themes. */
const computeShade = (value: number): number => Math.round(Math.max(0, value) * 28);

/** Cosine similarity of two vectors: 1 the same direction, 0 unrelated, −1 opposite; 0 if a vector has zero length. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  let [dot, lengthA, lengthB] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    dot += value * other;
    lengthA += value * value;
    lengthB += other * other;
  }
  const length = Math.sqrt(lengthA) * Math.sqrt(lengthB);
  return length === 0 ? 0 : Math.min(1, Math.max(-1, dot / length));
}

/** Each with each. */
export function similarities(vectors: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return vectors.map((a) => vectors.map((b) => cosine(a, b)));
}
