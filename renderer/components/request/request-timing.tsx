import type { ReactNode } from "react";
import { getFigures } from "../../../gateway/contract/request-figures.ts";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { Recording } from "../../../gateway/contract/requests.ts";
import { formatCount, formatDuration, getPercent } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { Fact } from "../ui/facts.tsx";
import { Section } from "../ui/section.tsx";
import { ChunkTimeline } from "./chunk-timeline.tsx";
import { getSpeed } from "./request-columns.tsx";
import { getFirstMs, getStages, type StageName } from "./stages.ts";

export interface RequestTimingProps {
  readonly receipt: Receipt;
  /** Recording with the arrival times of chunks, if present. */
  readonly recording: Recording | null;
}

const colors: Readonly<Record<StageName, string>> = {
  queue: "bg-[var(--plot-rest)]",
  connect: "bg-[var(--plot-6)]",
  first: "bg-[var(--plot-2)]",
  stream: "bg-[var(--plot-1)]",
  whole: "bg-[var(--plot-rest)]",
};

/** Timing of a request: a waterfall of its stages, and the speed of its response. */
export function RequestTiming({ receipt, recording }: RequestTimingProps): ReactNode {
  const t = useMessages();
  const words = t.requestLog.stages;
  const first = getFirstMs(receipt);
  const stages = getStages({ ...receipt, first_ms: first });
  const speed = getSpeed(receipt);
  const { output_tokens: tokens } = getFigures(receipt);
  const chunks = recording?.response?.chunks ?? [];
  const { attempts } = receipt;
  return (
    <>
      <Section title={words.title}>
        <table className="numeric w-full border-collapse">
          <thead className="sr-only">
            <tr>
              <th scope="col">{words.stage}</th>
              <th scope="col">{words.waterfall}</th>
              <th scope="col">{t.requests.duration}</th>
            </tr>
          </thead>
          <tbody>
            {stages.map(({ name, from, to }) => (
              <tr key={name} className="h-7 border-t border-line/60 first:border-0" title={words.help[name]}>
                <th scope="row" className="w-px pr-3 text-left font-normal whitespace-nowrap text-muted">
                  {words.names[name]}
                </th>
                <td>
                  <span className="sr-only">{words.span(formatDuration(from), formatDuration(to))}</span>
                  <span aria-hidden className="relative block h-3 rounded-sm bg-canvas forced-colors:border">
                    <span
                      className={`absolute inset-y-0 min-w-0.5 rounded-sm forced-colors:bg-[CanvasText] ${colors[name]}`}
                      style={{
                        left: `${getPercent(from, receipt.ms)}%`,
                        width: `${getPercent(to - from, receipt.ms)}%`,
                      }}
                    />
                  </span>
                </td>
                <td className="w-px pl-3 text-right whitespace-nowrap">
                  {name === "connect" && to === from ? words.kept : formatDuration(to - from)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="numeric flex h-8 items-center justify-between border-t border-line font-medium">
          {t.requests.total}
          <span>{formatDuration(receipt.ms)}</span>
        </p>
      </Section>
      <dl className="grid grid-cols-[128px_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        {first !== null && <Fact label={t.requests.ttft}>{formatDuration(first)}</Fact>}
        {speed !== null && (
          <Fact label={t.requestLog.sorts.rate}>
            {speed} <span className="text-muted">({words.ofTokens(formatCount(tokens))})</span>
          </Fact>
        )}
        {typeof attempts === "number" && <Fact label={words.attempts}>{formatCount(attempts)}</Fact>}
      </dl>
      {chunks.length > 1 && (
        <Section title={t.requestLog.chunks}>
          <ChunkTimeline chunks={chunks} />
        </Section>
      )}
    </>
  );
}
