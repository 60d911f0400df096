import { getAppName } from "../../../gateway/contract/apps.ts";
import type { ReactNode } from "react";
import type { RunningRequest } from "../../../gateway/contract/requests.ts";
import { useConnectionNames } from "../../api/connection-names.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { formatCount, formatLength, formatMoment } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { getName } from "../../lib/names.ts";
import { useSeconds } from "../../lib/now.ts";
import { CodeFact, Fact } from "../ui/facts.tsx";
import { Section } from "../ui/section.tsx";

/** State of a running request: waiting, or receiving its response. */
export function RunningState({ request }: { readonly request: RunningRequest }): ReactNode {
  const { runs } = useMessages().requestLog;
  const { state, characters } = request;
  const help = characters === null ? runs.help[state] : runs.soFar(formatCount(characters));
  return (
    <span className="text-meta text-info-text" title={help}>
      {runs.states[state]}
    </span>
  );
}

export interface RunningTimeProps {
  /** Unix ms. */
  readonly since: number;
  /** Time at which it stops; it counts on if absent. */
  readonly until?: number | null;
}

/** How long it has been running, counting. */
export function RunningTime({ since, until = null }: RunningTimeProps): ReactNode {
  const now = useSeconds();
  return <span className="numeric text-info-text">{formatLength(Math.max(0, (until ?? now) - since))}</span>;
}

/** Known facts of a request before it has a receipt. */
export function RunningFacts({ request }: { readonly request: RunningRequest }): ReactNode {
  const { t, language } = useSpeech();
  const keyName = useKeyNames();
  const providerName = useConnectionNames();
  const { runs } = t.requestLog;
  return (
    <Section title={t.requestLog.facts}>
      <dl className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        <CodeFact label={t.requests.id} text={request.id} />
        <Fact label={t.requests.time}>{formatMoment(request.at, language)}</Fact>
        <Fact label={t.requests.status}>{runs.help[request.state]}</Fact>
        {request.characters !== null && (
          <Fact label={t.requestLog.response}>{runs.soFar(formatCount(request.characters))}</Fact>
        )}
        <Fact label={t.requests.duration}>
          <RunningTime since={request.at} />
        </Fact>
        <Fact label={t.requests.endpoint}>
          {`${getName(t.requests.endpoints, request.endpoint)}, ${request.stream ? t.requests.stream : t.requests.plain}`}
        </Fact>
        {request.provider !== "" && <Fact label={t.requests.provider}>{providerName(request)}</Fact>}
        <Fact label={t.requests.client}>
          <span title={request.client}>{getAppName(request.client)}</span>
        </Fact>
        <Fact label={t.requests.key}>{keyName(request.key)}</Fact>
      </dl>
      <p className="mt-2 text-meta text-faint">{runs.later}</p>
    </Section>
  );
}
