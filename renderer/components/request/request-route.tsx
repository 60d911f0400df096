import { Milestone } from "lucide-react";
import type { ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { PassedModel } from "../../../gateway/contract/routed.ts";
import { formatCodeInWords } from "../../lib/error-sentence.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import { Badge } from "../ui/badge.tsx";
import { Fact } from "../ui/facts.tsx";
import { Money } from "../ui/figures.tsx";
import { Marked } from "./marked.tsx";

export interface RouteFactsProps {
  readonly receipt: Receipt;
  /** Shows the requests of one route. */
  readonly onFilter: (params: Readonly<Record<string, string>>) => void;
}

/** Kinds of a request, its route, and the skipped models with reason and cost: lines of a `<dl>`. */
export function RouteFacts({ receipt: { kinds = [], route }, onFilter }: RouteFactsProps): ReactNode {
  const t = useMessages();
  return (
    <>
      {kinds.length > 0 && (
        <Fact label={t.routes.kindsOf}>
          <span className="flex flex-wrap gap-1">
            {kinds.map((kind) => (
              <Badge key={kind}>{t.routes.kinds[kind]}</Badge>
            ))}
          </span>
        </Fact>
      )}
      {route !== undefined && (
        <Fact label={t.routes.route}>
          <button
            type="button"
            title={t.routes.showRoute}
            className="min-h-6 max-w-full text-left wrap-anywhere underline decoration-line-strong underline-offset-2 hover:decoration-current"
            onClick={() => onFilter({ q: route.name })}
          >
            {route.rule === undefined ? route.name : t.routes.ruleOf(route.name, route.rule)}
          </button>
        </Fact>
      )}
      {route !== undefined && route.passed.length > 0 && (
        <Fact label={t.routes.passed}>
          <ol className="flex flex-col gap-1">
            {route.passed.map((passed, at) => (
              // A model can be passed over twice: each of its connections by itself.
              <li key={at}>
                <Passed passed={passed} />
              </li>
            ))}
          </ol>
        </Fact>
      )}
    </>
  );
}

function Passed({ passed }: { readonly passed: PassedModel }): ReactNode {
  const t = useMessages();
  const { model, code, nano } = passed;
  const sentence = formatCodeInWords(code ?? null, t.errors);
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span>{model}</span>
        <span className="text-muted">{passedInWords(passed, t)}</span>
        {nano !== undefined && <Money nano={nano} />}
      </span>
      {sentence !== null && <span className="block text-meta text-faint">{sentence}</span>}
    </>
  );
}

/** Formats the reason in a few words: "context too small", "failed at openai: 503". */
function passedInWords({ reason, provider, status, code }: PassedModel, t: Messages): string {
  if (reason !== "failed" || provider === undefined) return t.routes.reasons[reason];
  // A code with a localized sentence uses that.
  const named = formatCodeInWords(code ?? null, t.errors) === null ? (code ?? "") : "";
  return t.routes.failedAt(provider, [status === undefined ? "" : String(status), named].filter(Boolean).join(" "));
}

/** Name that the client requested, before the model that a route chose for it; empty if it requested the model itself. */
export function RequestedName({
  receipt: { route, model },
  q,
}: {
  readonly receipt: Receipt;
  readonly q: string;
}): ReactNode {
  if (route === undefined || route.name === model) return null;
  return (
    <span className="text-muted" title={route.name}>
      <Marked text={route.name} q={q} /> →{" "}
    </span>
  );
}

/** Mark in a row: a route passed over other models before this one. Empty if it did not. */
export function PassedMark({ receipt: { route } }: { readonly receipt: Receipt }): ReactNode {
  const t = useMessages();
  if (route === undefined || route.passed.length === 0) return null;
  const words = `${route.name}: ${t.routes.passedCount(route.passed.length)}`;
  return (
    <span title={words} className="ml-1 inline-flex align-[-2px] text-muted">
      <Milestone size={13} aria-hidden />
      <span className="sr-only">{words}</span>
    </span>
  );
}
