import { Switch } from "@base-ui/react/switch";
import { CircleCheck, Info, Zap, Ellipsis, KeyRound, Pencil, Trash2 } from "lucide-react";
import { useId } from "react";
import type { ReactNode } from "react";
import type { ConnectionTest, ConnectionView } from "../../../gateway/contract/connection.ts";
import { Badge } from "../../components/ui/badge.tsx";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { useAge } from "../../components/ui/figures.tsx";
import { formatDuration } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { CredentialRow } from "./credential-row.tsx";
import { useConnectionActions } from "./use-connection-actions.ts";
import { useConnectionTest } from "./use-connection-test.ts";
import { Menu, MenuItem, MenuSeparator } from "../../components/ui/menu.tsx";

/** What can be done to one connection in a dialog. */
export type ConnectionTask = "edit" | "replace" | "remove";

export interface ConnectionPanelProps {
  readonly connection: ConnectionView;
  readonly onTask: (task: ConnectionTask) => void;
}

/** One connection: what it is, whether it is used, how each of its provider keys is doing. */
export function ConnectionPanel({ connection, onTask }: ConnectionPanelProps): ReactNode {
  const t = useMessages();
  const titleId = useId();
  const { result, testing, test } = useConnectionTest(connection);
  const { name, base_url, enabled, origin, present } = connection;
  return (
    <section className="panel" aria-labelledby={titleId}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pr-2 pl-3.5">
        <div className="min-w-0 grow basis-60">
          <div className="flex items-center gap-2">
            <h2 id={titleId} className="truncate font-semibold" title={name}>
              {name}
            </h2>
            {origin !== "created" && <Badge>{t.connections.origins[origin]}</Badge>}
            {!enabled && <Badge tone="neutral">{t.connections.off}</Badge>}
          </div>
          <p className="flex flex-wrap gap-x-2 text-meta text-muted">
            <code className="font-mono wrap-anywhere">{base_url}</code>
            <Models connection={connection} />
            {origin !== "created" && (
              <span className="text-faint">{present ? t.connections.fixed[origin] : t.connections.gone}</span>
            )}
          </p>
        </div>
        <div className="flex items-center gap-1.5">
          <Button
            icon={<Zap size={14} aria-hidden />}
            busy={testing}
            aria-label={t.connections.testNamed(name)}
            onClick={test}
          >
            {testing ? t.connections.testing : t.connections.test}
          </Button>
          {origin !== "environment" && (
            <>
              <UsedSwitch connection={connection} />
              <ConnectionMenu connection={connection} onTask={onTask} />
            </>
          )}
        </div>
      </div>
      <output className="block">
        {result !== null &&
          (result.ok ? (
            // Only as long as nothing has failed since.
            connection.credentials.some(({ state }) => state === "ready") && <TestResult result={result} />
          ) : (
            // What failed stands beside the key.
            <span className="sr-only">{t.connections.testFailed}</span>
          ))}
      </output>
      <ul aria-label={t.connections.credentials(name)}>
        {connection.credentials.map((credential, index) => (
          <CredentialRow key={`${credential.hint} ${index}`} credential={credential} />
        ))}
      </ul>
    </section>
  );
}

/** What a test found that went well. */
function TestResult({ result }: { readonly result: ConnectionTest }): ReactNode {
  const t = useMessages();
  const { models, ms } = result;
  const proven = models > 0;
  const tone = proven ? "text-success-text" : "text-muted";
  const Icon = proven ? CircleCheck : Info;
  return (
    <p className={`flex items-start gap-2 border-t border-line px-3.5 py-1.5 ${tone}`}>
      <Icon size={15} aria-hidden className="mt-0.5 shrink-0" />
      <span className="wrap-anywhere">
        {proven ? t.connections.reached(formatDuration(ms), models) : t.connections.notAsked}
      </span>
    </p>
  );
}

/** Whether the connection takes part in answering. */
function UsedSwitch({ connection }: { readonly connection: ConnectionView }): ReactNode {
  const t = useMessages();
  const { setEnabled } = useConnectionActions();
  return (
    <Switch.Root
      checked={connection.enabled}
      onCheckedChange={(next) => setEnabled(connection, next)}
      aria-label={t.connections.on(connection.name)}
      className="mx-1 flex h-4.5 w-8 items-center rounded-full border border-line-strong bg-pressed p-0.5 transition-colors data-checked:border-accent data-checked:bg-accent"
    >
      <Switch.Thumb className="size-3 rounded-full bg-muted transition-transform data-checked:translate-x-3.5 data-checked:bg-on-accent forced-colors:bg-[CanvasText]" />
    </Switch.Root>
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
    <span className="numeric">{`${t.connections.models(count)}, ${t.connections.checked(ageOf(checked_at))}`}</span>
  );
}

interface ConnectionMenuProps {
  readonly connection: ConnectionView;
  readonly onTask: (task: ConnectionTask) => void;
}

function ConnectionMenu({ connection, onTask }: ConnectionMenuProps): ReactNode {
  const t = useMessages();
  return (
    <Menu
      trigger={
        <IconButton label={t.app.actions(connection.name)}>
          <Ellipsis size={15} aria-hidden />
        </IconButton>
      }
    >
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
    </Menu>
  );
}
