/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard. */
import type { ReactNode } from "react";
import { Section } from "../ui/section.tsx";
import { formatBytes } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { ChunkTable } from "./chunk-table.tsx";
import { ChunkTimeline } from "./chunk-timeline.tsx";
import { Folded, isOnlyRaw, RawText } from "./folded.tsx";
import { readResponse } from "./readable.ts";
import { Marked } from "./marked.tsx";
import { Lacks, describeMissing, prettily, type RecordedProps } from "./recorded-request.tsx";

/** The client's response: the text to read, each chunk at its time, and all of it as received. */
export function RecordedResponseView({ recording, q }: RecordedProps): ReactNode {
  const t = useMessages();
  const { response, status } = recording;
  if (response === null) {
    return (
      <Section title={t.requestLog.response}>
        <p className="text-muted">{t.requestLog.noResponse}</p>
      </Section>
    );
  }
  const text = readResponse(recording);
  const whole = response.chunks.map(({ text }) => text).join("");
  const streamed = response.type === "text/event-stream" || response.chunks.length > 1;
  return (
    <Section
      title={t.requestLog.response}
      actions={
        <span className="numeric text-meta text-faint">
          {status} · {response.type} · {formatBytes(response.bytes)}
        </span>
      }
    >
      {text !== "" && (
        <section
          tabIndex={0}
          aria-label={t.requestLog.responseText}
          className="max-h-[50dvh] overflow-y-auto rounded-md border border-line bg-canvas px-3 py-2 whitespace-pre-wrap wrap-anywhere"
        >
          <Marked text={text} q={q} />
        </section>
      )}
      {streamed && (
        <>
          <ChunkTimeline chunks={response.chunks} />
          <Folded label={t.requestLog.chunkTable(response.count)}>
            {() => <ChunkTable chunks={response.chunks} />}
          </Folded>
        </>
      )}
      <Folded label={streamed ? t.requestLog.asSent : t.requestLog.asJson} isOpen={isOnlyRaw(text, whole, q)}>
        {() => <RawText label={t.requestLog.responseBody} text={streamed ? whole : prettily(whole)} q={q} />}
      </Folded>
      <Lacks lacks={describeMissing(response, t)} />
    </Section>
  );
}
