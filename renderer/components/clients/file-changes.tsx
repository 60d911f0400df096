import type { ReactNode } from "react";
import type { ClientPlan, FileChange } from "../../../gateway/contract/clients.ts";
import { useMessages } from "../../lib/i18n.tsx";

/** The files of a plan, each with its lines. */
export function FileChanges({ plan }: { readonly plan: ClientPlan }): ReactNode {
  const t = useMessages();
  return (
    <div className="flex flex-col gap-3">
      {plan.notes.map((note) => (
        <p key={note} className="text-warning-text">
          {t.clients.notes[note]}
        </p>
      ))}
      {plan.files.map((file) => (
        <OneFile key={file.path} file={file} />
      ))}
    </div>
  );
}

/** Max displayed lines of a change, as a picker may have thousands of models. */
const MAX_ROWS = 200;

function OneFile({ file }: { readonly file: FileChange }): ReactNode {
  const t = useMessages();
  const { path, target, action, lines, kept: unchanged } = file;
  return (
    <div className="min-w-0 rounded-md border border-line">
      <p className="flex flex-wrap gap-x-2 border-b border-line px-3 py-1.5 text-meta">
        <code className="font-mono wrap-anywhere">{path}</code>
        <span className="text-muted">{t.clients.actions[action]}</span>
        {target !== null && <span className="text-muted wrap-anywhere">{t.clients.target(target)}</span>}
      </p>
      {unchanged.length > 0 && (
        <p className="px-3 py-1.5 text-meta text-warning-text wrap-anywhere">
          {t.clients.kept(unchanged.join(t.app.listed))}
        </p>
      )}
      {lines.length > 0 && (
        <section aria-label={t.clients.diffOf(path)} className="rounded-b-md bg-canvas">
          <table className="w-full border-collapse font-mono text-meta">
            <thead className="sr-only">
              <tr>
                <th scope="col">{t.clients.before}</th>
                <th scope="col">{t.clients.after}</th>
                <th scope="col">{t.clients.changes}</th>
                <th scope="col">{t.clients.text}</th>
              </tr>
            </thead>
            <tbody>
              {lines.slice(0, MAX_ROWS).map((line, index) => (
                <DiffRow key={`${line.before} ${line.after}`} line={line} gap={isGap(lines, index)} />
              ))}
            </tbody>
          </table>
          {lines.length > MAX_ROWS && (
            <p className="border-t border-line px-3 py-1.5 text-meta text-muted">
              {t.clients.moreLines(lines.length - MAX_ROWS)}
            </p>
          )}
        </section>
      )}
    </div>
  );
}

type Line = FileChange["lines"][number];

const looks = { added: "bg-success-soft", removed: "bg-danger-soft", same: "" } as const;
const signs = { added: "+", removed: "−", same: " " } as const;

function DiffRow({ line, gap }: { readonly line: Line; readonly gap: boolean }): ReactNode {
  const t = useMessages();
  const { kind, before, after, text } = line;
  const number = "numeric w-px px-1.5 text-right align-top text-muted select-none whitespace-nowrap";
  return (
    <tr className={`${looks[kind]} ${gap ? "border-t border-dashed border-line-strong" : ""}`}>
      <td className={number}>{before}</td>
      <td className={number}>{after}</td>
      <td className="w-px px-1 align-top select-none">
        <span aria-hidden>{signs[kind]}</span>
        <span className="sr-only">{t.clients.marks[kind]}</span>
      </td>
      <td className="pr-2 whitespace-pre-wrap wrap-anywhere">{text}</td>
    </tr>
  );
}

/** Tells whether lines were omitted before this one. */
function isGap(lines: readonly Line[], index: number): boolean {
  const [before, line] = [lines[index - 1], lines[index]];
  if (before === undefined || line === undefined) return false;
  const next = (number: number | null, then: number | null): boolean =>
    number === null || then === null || then === number + 1;
  return !next(before.before, line.before) || !next(before.after, line.after);
}
