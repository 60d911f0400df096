import { CircleAlert, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { ClientCheck } from "../../../gateway/contract/clients.ts";
import { Cost } from "../ui/figures.tsx";
import { formatDuration } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";

/** Result of one real call: its time, model and cost, and the response text. */
export function CheckResult({ check }: { readonly check: ClientCheck }): ReactNode {
  const t = useMessages();
  const { ok, part, ms, model, nano, sandbox, message, call, request_id: request } = check;
  const Icon = ok ? CircleCheck : CircleAlert;
  return (
    <div className="mt-2 flex items-start gap-2">
      <Icon size={15} aria-hidden className={`mt-0.5 shrink-0 ${ok ? "text-success-text" : "text-danger-text"}`} />
      <div className="min-w-0">
        <p className="flex flex-wrap gap-x-2">
          <span className={ok ? "text-success-text" : "text-danger-text"}>
            {`${t.clients.parts[part]}: ${ok ? t.clients.ok(formatDuration(ms)) : t.clients.failed}`}
          </span>
          {model !== null && <code className="font-mono text-meta leading-5 wrap-anywhere">{model}</code>}
          {ok && part === "models" && <Cost nano={nano} sandbox={sandbox} />}
        </p>
        <p className="text-meta text-muted wrap-anywhere">
          <code className="font-mono">{call}</code>
          {message !== "" && ` · ${message.slice(0, 200)}`}{" "}
          {request !== null && <a href={`#/requests?id=${encodeURIComponent(request)}`}>{t.clients.showRequest}</a>}
        </p>
      </div>
    </div>
  );
}
