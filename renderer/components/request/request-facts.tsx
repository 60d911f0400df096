import { getAppName } from "../../../gateway/contract/apps.ts";
import { Images } from "lucide-react";
import type { ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RequestDetail } from "../../../gateway/contract/requests.ts";
import { useConnectionNames } from "../../api/connection-names.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { CodeFact, Fact } from "../ui/facts.tsx";
import { Cost } from "../ui/figures.tsx";
import { Section } from "../ui/section.tsx";
import { formatCount, formatDuration, formatMoment } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { getName } from "../../lib/names.ts";
import { routeHash } from "../../lib/router.ts";
import { isUnbilled, Status } from "./request-columns.tsx";
import { RouteFacts } from "./request-route.tsx";
import { PrefixFact } from "./prompt-prefix.tsx";
import { SessionFacts } from "./session-facts.tsx";
import { getFirstMs } from "./stages.ts";
import { usageInWords } from "./usage-cell.tsx";

/** Facts of a request other than its cost, and links to its results. */
export function RequestFacts(props: {
  readonly receipt: Receipt;
  readonly detail: RequestDetail | undefined;
  /** Shows the requests of one model, app or key. */
  readonly onFilter: (params: Readonly<Record<string, string>>) => void;
}): ReactNode {
  const { receipt, detail, onFilter } = props;
  const { t, language } = useSpeech();
  const keyName = useKeyNames();
  const providerName = useConnectionNames();
  const only = (params: Readonly<Record<string, string>>, label: string, text: string): ReactNode => (
    <button
      type="button"
      aria-label={`${text}: ${label}`}
      title={label}
      className="min-h-6 max-w-full text-left wrap-anywhere underline decoration-line-strong underline-offset-2 hover:decoration-current"
      onClick={() => onFilter(params)}
    >
      {text}
    </button>
  );
  const app = getAppName(receipt.client);
  const first = getFirstMs(receipt);
  const usage = usageInWords(receipt, t, formatCount);
  return (
    <Section title={t.requestLog.facts}>
      <dl className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        <Fact label={t.requests.time}>{formatMoment(receipt.at, language)}</Fact>
        <Fact label={t.requests.status}>
          <Status receipt={receipt} />
        </Fact>
        <Fact label={t.requests.outcome}>
          {receipt.finished_for_library ? t.requestLog.finished : t.requests.outcomeHelp[receipt.outcome]}
        </Fact>
        <Fact label={t.requests.model}>{only({ model: receipt.model }, t.requests.filterByModel, receipt.model)}</Fact>
        <RouteFacts receipt={receipt} onFilter={onFilter} />
        {!isUnbilled(receipt) && (
          <Fact label={t.requests.cost}>
            <Cost nano={receipt.nano} sandbox={receipt.sandbox} />
          </Fact>
        )}
        {usage !== "" && <Fact label={t.requests.usage}>{usage}</Fact>}
        <PrefixFact receipt={receipt} />
        <Fact label={t.requests.duration}>{formatDuration(receipt.ms)}</Fact>
        {first !== null && <Fact label={t.requests.ttft}>{formatDuration(first)}</Fact>}
        <Fact label={t.requests.endpoint}>
          {`${getName(t.requests.endpoints, receipt.endpoint)}${t.app.comma}${receipt.stream ? t.requests.stream : t.requests.plain}`}
        </Fact>
        {receipt.provider !== "" && <Fact label={t.requests.provider}>{providerName(receipt)}</Fact>}
        {receipt.client !== "" && (
          <Fact label={t.requests.client}>
            <span title={receipt.client}>{only({ client: app }, t.requestLog.filterByClient, app)}</span>
          </Fact>
        )}
        <SessionFacts receipt={receipt} only={only} />
        <Fact label={t.requests.key}>{only({ key: receipt.key }, t.requests.filterByKey, keyName(receipt.key))}</Fact>
        {receipt.masked !== undefined && <Fact label={t.requestLog.masked}>{formatCount(receipt.masked)}</Fact>}
        {detail !== undefined && detail.task !== null && (
          <Fact label={t.requestLog.task}>
            <a href={routeHash("tasks", { task: detail.task })}>{t.requestLog.openTask}</a>
          </Fact>
        )}
        {detail !== undefined && detail.media.length > 0 && (
          <Fact label={t.requestLog.results}>
            <span className="flex flex-wrap gap-x-3">
              {detail.media.map((media, index) => (
                <a key={media} href={routeHash("library", { media })} className="inline-flex items-center gap-1">
                  <Images size={13} aria-hidden />
                  {t.requestLog.result(index + 1)}
                </a>
              ))}
            </span>
          </Fact>
        )}
        <CodeFact label={t.requests.id} text={receipt.id} />
      </dl>
    </Section>
  );
}
