import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useConnections } from "../../api/queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { byHealth, type HealthyOrNot } from "../../components/connection-health.ts";
import { useOverlays } from "../../components/frame/overlays.ts";
import { ProviderGlyph } from "../../components/glyph.tsx";
import { useTestSentence } from "../../components/test-sentence.ts";
import { Dot } from "../../components/ui/badge.tsx";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { useRoving } from "../../lib/roving.ts";
import { routeHash } from "../../lib/router.ts";
import { PanelHead } from "./panel-head.tsx";

/** How each provider is; those that do not respond come first, each with one sentence. */
export function HealthPanel(): ReactNode {
  const t = useMessages();
  const overlays = useOverlays();
  const roving = useRoving<HTMLUListElement>();
  const { data, error, refetch } = useConnections();
  const connections = byHealth((data ?? []).filter(({ enabled }) => enabled));
  return (
    <section className="panel min-w-0" aria-label={t.overview.health}>
      <PanelHead title={t.overview.health} link={{ label: t.overview.allProviders, href: routeHash("connections") }} />
      {data === undefined &&
        (error === null ? <SkeletonRows rows={3} /> : <Failure error={error} onRetry={() => void refetch()} />)}
      {data !== undefined && connections.length === 0 && (
        <div className="flex flex-wrap items-center gap-2 px-3.5 py-3 text-muted">
          <span className="grow">{t.overview.noProvider}</span>
          <Button onClick={() => overlays.open("addConnection")}>{t.connections.add}</Button>
        </div>
      )}
      <ul ref={roving} className="py-1">
        {connections.map((each) => (
          <HealthRow key={each.connection.id} {...each} />
        ))}
      </ul>
    </section>
  );
}

/** A provider in a line; one that is in trouble has a sentence and the one thing to do about it. */
function HealthRow({ connection, health }: HealthyOrNot): ReactNode {
  const t = useMessages();
  const { id, name, provider } = connection;
  const { tone, state, sentence, reason, action } = health;
  const troubled = tone === "warning" || tone === "danger";
  return (
    <li className="px-3.5 py-1">
      <a
        href={routeHash("requests", { connection: id })}
        className="flex min-h-6 items-center gap-2 text-text no-underline hover:underline"
      >
        <ProviderGlyph id={provider} name={name} />
        <span className="min-w-0 grow truncate">{name}</span>
        <Dot tone={tone} />
        <span className="text-meta text-muted">{t.connections.states[state]}</span>
      </a>
      {troubled && (
        <div className="flex items-center gap-2 text-meta">
          <p
            className={`min-w-0 grow ${tone === "danger" ? "text-danger-text" : "text-warning-text"}`}
            title={reason ?? undefined}
          >
            {t.connections.sentences[sentence]}
          </p>
          {action === "test" ? (
            <TestButton connection={connection} />
          ) : (
            <a href={routeHash("connections")} className={buttonClass("plain")}>
              {t.connections.actions[action]}
            </a>
          )}
        </div>
      )}
    </li>
  );
}

/** Tests the provider again. The result is shown in the row; a failure also in full. */
function TestButton({ connection: { id } }: { readonly connection: ConnectionView }): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const { client } = useGateway();
  const notify = useNotify();
  const sentenceOf = useTestSentence();
  const { busy, run } = useBusy();
  const test = async (): Promise<void> => {
    const result = await client.call("testConnection", {}, id);
    if (!result.ok) notify.showError(sentenceOf(result));
    await cache.invalidateQueries({ queryKey: [queryNames.connections] });
  };
  return (
    <Button busy={busy} onClick={() => void run(test)}>
      {t.connections.actions.retry}
    </Button>
  );
}
