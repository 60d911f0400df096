import { Ellipsis, KeyRound, List, Pencil, Trash2, Zap } from "lucide-react";
import { useId } from "react";
import type { ReactNode } from "react";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { useModels } from "../../api/queries.ts";
import { ProviderGlyph } from "../../components/glyph.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { IconButton } from "../../components/ui/button.tsx";
import { useAge } from "../../components/ui/figures.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate, routeHash } from "../../lib/router.ts";
import { CredentialRows } from "./credential-row.tsx";
import { CreditRows } from "./credit-rows.tsx";
import { HealthRow } from "./health-row.tsx";
import { LearnedRows } from "./learned-rows.tsx";
import { useConnectionActions } from "./use-connection-actions.ts";
import { useConnectionTest } from "./use-connection-test.ts";
import { Menu, MenuItem, MenuSeparator } from "../../components/ui/menu.tsx";
import { Toggle } from "../../components/ui/toggle.tsx";

/** Dialogs for one connection. */
export type ConnectionTask = "edit" | "replace" | "remove";

export interface ConnectionPanelProps {
  readonly connection: ConnectionView;
  readonly onTask: (task: ConnectionTask) => void;
}

/** A connection: its facts, its switch, and its health. */
export function ConnectionPanel({ connection, onTask }: ConnectionPanelProps): ReactNode {
  const t = useMessages();
  const titleId = useId();
  const tested = useConnectionTest(connection);
  const { name, base_url, origin } = connection;
  return (
    <section className="panel" aria-labelledby={titleId}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pr-2 pl-3.5">
        <div className="min-w-0 grow basis-48">
          <div className="flex items-center gap-2">
            <ProviderGlyph id={connection.provider} name={name} size={20} />
            <h2 id={titleId} className="truncate font-semibold" title={name}>
              {name}
            </h2>
            {origin !== "created" && <Badge>{t.connections.origins[origin]}</Badge>}
          </div>
          <p className="flex flex-wrap gap-x-2 text-meta text-muted">
            <code className="font-mono wrap-anywhere">{base_url}</code>
            <Models connection={connection} />
            <Unpriced name={name} />
            <Keys connection={connection} />
            {origin !== "created" && <span className="text-faint">{t.connections.fixed[origin]}</span>}
          </p>
        </div>
        <div className="flex items-center gap-1.5">
          {origin !== "environment" && <UsedSwitch connection={connection} />}
          <ConnectionMenu connection={connection} onTask={onTask} onTest={tested.test} />
        </div>
      </div>
      <HealthRow connection={connection} tested={tested} onReplace={() => onTask("replace")} />
      <CreditRows connection={connection} />
      <CredentialRows connection={connection} />
      <LearnedRows connection={connection} />
    </section>
  );
}

/** Number of its models without a price, with a link to set all of them. */
function Unpriced({ name }: { readonly name: string }): ReactNode {
  const t = useMessages();
  const { data: models = [] } = useModels();
  const count = models.filter((model) => {
    const { connections, price, served, sandbox } = model;
    return price === null && served && !sandbox && connections.includes(name);
  }).length;
  if (count === 0) return null;
  return (
    <a href={routeHash("models", { q: name, set: "prices" })} title={t.money.unpricedBeside}>
      <Badge tone="warning">{t.money.unpricedModels(formatCount(count))}</Badge>
    </a>
  );
}

/** Hints of its provider keys; empty for a server without keys. */
function Keys({ connection }: { readonly connection: ConnectionView }): ReactNode {
  const hints = connection.credentials.map(({ hint }) => hint).filter((hint) => hint !== "no key");
  return hints.length === 0 ? null : <code className="font-mono">{hints.join(", ")}</code>;
}

/** Whether the connection takes part in answering. */
function UsedSwitch({ connection }: { readonly connection: ConnectionView }): ReactNode {
  const t = useMessages();
  const { setEnabled } = useConnectionActions();
  return (
    <span className="mx-1">
      <Toggle
        checked={connection.enabled}
        onChange={(next) => setEnabled(connection, next)}
        label={t.connections.on(connection.name)}
      />
    </span>
  );
}

function Models({ connection }: { readonly connection: ConnectionView }): ReactNode {
  const t = useMessages();
  const ageOf = useAge();
  const { count, checked_at, error } = connection.models;
  if (error !== null) return <span>{t.connections.modelsRefused}</span>;
  if (checked_at === null)
    return <span>{count === 0 ? t.connections.modelsUnknown : t.connections.models(count)}</span>;
  // Some providers have no list to ask for: their models are served all the same.
  if (count === 0) return <span>{t.connections.modelsUnlisted}</span>;
  return (
    <span className="numeric">
      <a href={routeHash("models", { q: connection.name })}>{t.connections.models(count)}</a>
      {`${t.app.comma}${t.connections.checked(ageOf(checked_at))}`}
    </span>
  );
}

interface ConnectionMenuProps {
  readonly connection: ConnectionView;
  readonly onTask: (task: ConnectionTask) => void;
  readonly onTest: () => void;
}

function ConnectionMenu({ connection, onTask, onTest }: ConnectionMenuProps): ReactNode {
  const t = useMessages();
  return (
    <Menu
      trigger={
        <IconButton label={t.app.actions(connection.name)}>
          <Ellipsis size={15} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<Zap size={14} aria-hidden />} onSelect={onTest}>
        {t.connections.actions.test}
      </MenuItem>
      <MenuItem
        icon={<List size={14} aria-hidden />}
        onSelect={() => navigate("requests", { connection: connection.id })}
      >
        {t.models.showRequests}
      </MenuItem>
      {connection.origin !== "environment" && (
        <>
          <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => onTask("edit")}>
            {t.connections.edit}
          </MenuItem>
          {connection.origin === "created" && (
            <MenuItem icon={<KeyRound size={14} aria-hidden />} onSelect={() => onTask("replace")}>
              {t.connections.replaceKey}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem icon={<Trash2 size={14} aria-hidden />} danger onSelect={() => onTask("remove")}>
            {t.connections.remove}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
