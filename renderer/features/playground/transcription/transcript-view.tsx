import type { ReactNode } from "react";
import { CopyButton } from "../../../components/ui/copy.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { formatTime, type Transcript } from "./transcript.ts";

/** Transcript, with times and speakers if they were requested. */
export function TranscriptView({ text, segments, plain }: Transcript): ReactNode {
  const t = useMessages();
  return (
    <>
      {text === "" && <p className="text-muted">{t.playground.silence}</p>}
      {segments.length > 0 ? (
        <ol aria-label={t.playground.segments} className="flex flex-col gap-1">
          {segments.map(({ start, end, text: segmentText, speaker }, index) => (
            <li key={index} className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-2">
              <span className="numeric text-muted">
                {formatTime(start)}–{formatTime(end)}
              </span>
              <span className="wrap-anywhere">
                {speaker !== undefined && <strong className="font-medium">{speaker}: </strong>}
                {segmentText.trim()}
              </span>
            </li>
          ))}
        </ol>
      ) : (
        text !== "" && <p className={`whitespace-pre-wrap wrap-anywhere ${plain ? "numeric" : ""}`}>{text}</p>
      )}
      {text !== "" && (
        <div>
          <CopyButton text={text} label={t.playground.copyText} />
        </div>
      )}
    </>
  );
}
