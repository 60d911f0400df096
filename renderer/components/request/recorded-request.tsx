/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard. */
import type { ReactNode } from "react";
import type { Recording } from "../../../gateway/contract/requests.ts";
import { Section } from "../ui/section.tsx";
import { formatBytes } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { getName } from "../../lib/names.ts";
import type { Messages } from "../../locales/messages.ts";
import { Folded, isOnlyRaw, RawText } from "./folded.tsx";
import { Marked } from "./marked.tsx";
import { parseText, readRequest } from "./readable.ts";

export interface RecordedProps {
  readonly recording: Recording;
  /** Search text to highlight. */
  readonly q: string;
}

/** The client's request: the conversation to read, and all of it as JSON. */
export function RecordedRequestView({ recording, q }: RecordedProps): ReactNode {
  const t = useMessages();
  const messages = readRequest(recording);
  const { request, path } = recording;
  return (
    <Section
      title={t.requestLog.request}
      actions={
        <span className="numeric text-meta text-faint">
          <code className="font-mono">POST {path}</code> · {formatBytes(request.bytes)}
        </span>
      }
    >
      {messages.length > 0 && (
        <section
          tabIndex={0}
          aria-label={t.requestLog.conversation}
          className="max-h-[50dvh] overflow-y-auto rounded-md border border-line bg-canvas px-3 py-2"
        >
          {messages.map(({ role, text }, index) => (
            <div key={index} className={index > 0 ? "mt-2" : ""}>
              <p className="text-meta text-faint">{getName(t.requestLog.roles, role)}</p>
              <p className="whitespace-pre-wrap wrap-anywhere">
                <Marked text={text} q={q} />
              </p>
            </div>
          ))}
        </section>
      )}
      <Folded
        label={t.requestLog.asJson}
        isOpen={isOnlyRaw(messages.map(({ text }) => text).join(" "), request.text, q)}
      >
        {() => <RawText label={t.requestLog.requestBody} text={prettily(request.text)} q={q} />}
      </Folded>
      <Lacks lacks={describeMissing(request, t)} />
    </Section>
  );
}

/** Pretty-prints JSON; other text is unchanged. */
export function prettily(text: string): string {
  const value = parseText(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** Describes the missing parts of a recorded text. */
export function describeMissing(
  part: Pick<Recording["request"], "cut" | "redacted" | "omitted"> & { readonly form?: boolean },
  t: Messages,
): readonly string[] {
  return [
    ...(part.form === true ? [t.requestLog.form] : []),
    ...(part.omitted > 0 ? [t.requestLog.omitted(part.omitted)] : []),
    ...(part.redacted ? [t.requestLog.redacted] : []),
    ...(part.cut ? [t.requestLog.cut] : []),
  ];
}

export function Lacks({ lacks }: { readonly lacks: readonly string[] }): ReactNode {
  return lacks.length === 0 ? null : <p className="mt-1 text-meta text-faint">{lacks.join(" ")}</p>;
}
