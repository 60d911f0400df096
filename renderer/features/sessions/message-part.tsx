import type { ReactNode } from "react";
import type { SaidPart } from "../../../gateway/contract/sessions.ts";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";

/** Longer texts show their first line until they are opened, and so do parts that are seldom read. */
const LONG = 600;
const LONG_LINES = 12;
const FOLDED: ReadonlySet<SaidPart["kind"]> = new Set(["tools", "reasoning", "result"]);
/** Kinds shown in their original form. */
const WRITTEN: ReadonlySet<SaidPart["kind"]> = new Set(["call", "result", "tools"]);

/** Returns the label of a part: its role, or its kind as "Calls Read", "Result of Read". */
export function getLabel({ role, kind, name }: SaidPart, { sessions: t }: Messages): string {
  switch (kind) {
    case "call":
      return t.calls(name);
    case "result":
      return name === "" ? t.partNames.tool : t.resultOf(name);
    case "text":
      return t.partNames[role];
    default:
      return t.partNames[kind];
  }
}

/** Marks of texts that clients add to a person's message: "<system-reminder>", "<environment_context>". */
const ADDED = /^\s*<[a-z][a-z_-]*>/;

const isLong = ({ text, kind, role }: SaidPart): boolean =>
  text.length > (FOLDED.has(kind) || role === "system" || ADDED.test(text) ? 80 : LONG) ||
  text.split("\n", LONG_LINES + 1).length > LONG_LINES;

/** A part of a conversation, with its label. */
export function MessagePart({ part }: { readonly part: SaidPart }): ReactNode {
  const t = useMessages();
  const { kind, name, text, cut } = part;
  const look = `min-w-0 whitespace-pre-wrap wrap-anywhere ${
    WRITTEN.has(kind) ? "font-mono text-meta" : ""
  } ${kind === "error" ? "text-danger-text" : kind === "reasoning" || kind === "tools" ? "text-muted" : ""}`;
  const whole = kind === "medium" && text === "" ? name : text;
  return (
    <div className="grid grid-cols-[128px_minmax(0,1fr)] gap-x-3 py-1 max-wide:grid-cols-1">
      <dt
        className={`truncate text-meta leading-5 ${part.role === "user" && kind === "text" ? "font-medium text-accent-text" : "text-faint"}`}
        title={getLabel(part, t)}
      >
        {getLabel(part, t)}
      </dt>
      <dd className="min-w-0">
        {isLong(part) ? (
          <details className="group">
            <summary
              className={`truncate cursor-default rounded-sm text-muted hover:text-text ${WRITTEN.has(kind) ? "font-mono text-meta" : ""}`}
            >
              <span className="group-open:hidden">{whole.trim().split("\n", 1)[0]?.slice(0, 200)}</span>
              <span className="hidden font-sans group-open:inline">{t.sessions.less}</span>
            </summary>
            <p className={look}>{whole}</p>
            <More cut={cut} />
          </details>
        ) : (
          <>
            <p className={look}>{whole}</p>
            <More cut={cut} />
          </>
        )}
      </dd>
    </div>
  );
}

function More({ cut }: { readonly cut: number }): ReactNode {
  const t = useMessages();
  return cut === 0 ? null : <p className="text-meta text-faint">{t.sessions.cut(formatCount(cut))}</p>;
}
