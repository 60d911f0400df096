import type { ReactNode } from "react";
import type { McpView } from "../../../gateway/contract/mcp.ts";
import { CopyIcon } from "../../components/ui/copy.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { ConnectClient } from "./connect-client.tsx";

/** Where the tool server is, what it speaks, and what a client has to be given. */
export function ServerPanel({ view }: { readonly view: McpView }): ReactNode {
  const t = useMessages();
  return (
    <section className="panel min-[900px]:grid min-[900px]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <div className="px-3.5 py-3">
        <p className="mb-3 text-muted">{t.mcp.about}</p>
        <dl className="grid grid-cols-[104px_minmax(0,1fr)] items-center gap-y-1">
          <dt className="text-muted">{t.mcp.address}</dt>
          <dd className="flex min-h-8 items-center gap-1">
            <code className="truncate font-mono" title={view.url}>
              {view.url}
            </code>
            <CopyIcon text={view.url} label={t.mcp.copyAddress} />
          </dd>
          <dt className="text-muted">{t.mcp.auth}</dt>
          <dd className="min-h-6 wrap-anywhere">{t.mcp.authHeader}</dd>
          <dt className="self-start text-muted">{t.mcp.protocols}</dt>
          <dd className="numeric min-h-6 wrap-anywhere">{view.protocol_versions.join(", ")}</dd>
          <dt className="text-muted">{t.mcp.sessions}</dt>
          <dd className="numeric min-h-6" title={t.mcp.sessionsHelp}>
            {formatCount(view.sessions)}
          </dd>
        </dl>
      </div>
      <ConnectClient url={view.url} />
    </section>
  );
}
