/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard. */
import { useState, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { formatBytes, formatDuration } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Chunks } from "./chunk-timeline.tsx";

const STEP = 50;

/** Chunks of a stream, one per row: time, pause, and content. */
export function ChunkTable({ chunks }: Chunks): ReactNode {
  const t = useMessages();
  const [shown, setShown] = useState(STEP);
  return (
    <section
      tabIndex={0}
      aria-label={t.requestLog.chunks}
      className="max-h-80 overflow-auto rounded-md border border-line bg-canvas"
    >
      <table className="w-full border-collapse text-meta">
        <thead>
          <tr className="h-7 text-faint">
            <th className="px-2 text-right font-normal">{t.requestLog.chunkTime}</th>
            <th className="px-2 text-right font-normal">{t.requestLog.chunkPause}</th>
            <th className="px-2 text-right font-normal">{t.requestLog.chunkSize}</th>
            <th className="px-2 text-left font-normal">{t.requestLog.chunkText}</th>
          </tr>
        </thead>
        <tbody>
          {chunks.slice(0, shown).map(({ ms, bytes, text }, index) => (
            <tr key={index} className="border-t border-line/60 align-top">
              <td className="numeric px-2 py-1 text-right whitespace-nowrap">{formatDuration(ms)}</td>
              <td className="numeric px-2 py-1 text-right whitespace-nowrap text-muted">
                {index === 0 ? "" : `+${formatDuration(ms - (chunks[index - 1]?.ms ?? ms))}`}
              </td>
              <td className="numeric px-2 py-1 text-right whitespace-nowrap text-muted">{formatBytes(bytes)}</td>
              <td className="w-full px-2 py-1 font-mono whitespace-pre-wrap wrap-anywhere">{text.trim()}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown < chunks.length && (
        <div className="p-2">
          <Button onClick={() => setShown(shown + STEP * 4)}>{t.requestLog.moreChunks(chunks.length - shown)}</Button>
        </div>
      )}
    </section>
  );
}
