import type { ReactNode } from "react";
import type { SetupChange } from "../../../gateway/contract/setup-operations.ts";
import { Badge, type Tone } from "../ui/badge.tsx";
import { useMessages } from "../../lib/i18n.tsx";

const tones: Readonly<Record<SetupChange["action"], Tone>> = { add: "success", change: "info", remove: "danger" };

/** Records that a set-up adds, changes and removes. */
export function SetupChanges({ changes }: { readonly changes: readonly SetupChange[] }): ReactNode {
  const t = useMessages();
  if (changes.length === 0) return <p className="text-muted">{t.setup.nothing}</p>;
  return (
    <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
      {changes.map((change) => (
        <li key={`${change.kind} ${change.name}`} className="px-3 py-2">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Badge tone={tones[change.action]}>{t.setup.actions[change.action]}</Badge>
            <span className="text-muted">{t.setup.kinds[change.kind]}</span>
            <span className="min-w-0 font-medium wrap-anywhere">{change.name}</span>
          </p>
          {change.fields.length > 0 && (
            <dl className="mt-1 grid grid-cols-[minmax(80px,auto)_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-meta">
              {change.fields.map(({ field, before, after }) => (
                <div key={field} className="contents">
                  <dt className="text-muted">{field}</dt>
                  <dd className="min-w-0 font-mono wrap-anywhere">
                    {before !== null && (
                      <>
                        <del className="text-faint">{before}</del>{" "}
                      </>
                    )}
                    {after ?? ""}
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}
