/* oxlint-disable jsx-a11y/prefer-tag-over-role -- An SVG in the page is an image by its role. */
import type { ReactNode } from "react";
import type { RecordedResponse } from "../../../gateway/contract/requests.ts";
import { formatDuration } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";

const WIDTH = 1_000;
const HEIGHT = 48;
const LEAST = 8;

export interface Chunks {
  readonly chunks: RecordedResponse["chunks"];
}

/** Chunks of a stream as bars at their time since the request arrived; the height is their size. */
export function ChunkTimeline({ chunks }: Chunks): ReactNode {
  const t = useMessages();
  const [first, last] = [chunks[0], chunks.at(-1)];
  if (first === undefined || last === undefined) return null;
  const gap = findLongestGap(chunks);
  return (
    <figure className="mt-2">
      <svg
        role="img"
        aria-label={t.requestLog.timeline(
          chunks.length,
          formatDuration(first.ms),
          formatDuration(last.ms),
          formatDuration(gap),
        )}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-12 w-full rounded-sm border border-line bg-canvas"
      >
        <path
          d={formatStrokes(chunks, last.ms)}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="numeric flex justify-between pt-0.5 text-meta text-faint">
        <span>0</span>
        <span>{t.requestLog.timelineFirst(formatDuration(first.ms), formatDuration(gap))}</span>
        <span>{formatDuration(last.ms)}</span>
      </figcaption>
    </figure>
  );
}

/** Returns the longest gap between two chunks in milliseconds. */
function findLongestGap(chunks: Chunks["chunks"]): number {
  return chunks.reduce((longest, { ms }, index) => Math.max(longest, ms - (chunks[index - 1]?.ms ?? ms)), 0);
}

function formatStrokes(chunks: Chunks["chunks"], end: number): string {
  const most = Math.log2(2 + Math.max(...chunks.map(({ bytes }) => bytes)));
  return chunks
    .map(({ ms, bytes }) => {
      // Half a bar of padding at both ends.
      const x = 2 + (end === 0 ? 0 : (ms / end) * (WIDTH - 4));
      const height = LEAST + (Math.log2(2 + bytes) / most) * (HEIGHT - LEAST - 4);
      return `M${x.toFixed(1)} ${HEIGHT}V${(HEIGHT - height).toFixed(1)}`;
    })
    .join("");
}
