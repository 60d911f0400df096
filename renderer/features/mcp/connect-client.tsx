import { Tabs } from "@base-ui/react/tabs";
import { useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState, useEffect, useRef } from "react";
import type { ReactNode } from "react";
import type { CreatedKey } from "../../../gateway/contract/key.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { Button } from "../../components/ui/button.tsx";
import { CopyButton, CopyIcon } from "../../components/ui/copy.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { configText, mcpClients } from "./client-configs.ts";
import type { McpClient, McpClientId } from "./client-configs.ts";
import { useBusy } from "../../components/ui/use-busy.ts";

/** Configurations per client, with a key created here or entered manually. */
export function ConnectClient({ url }: { readonly url: string }): ReactNode {
  const t = useMessages();
  const [chosen, choose] = useState<McpClientId>("claude-code");
  const keys = useNewKeys();
  return (
    <Tabs.Root
      value={chosen}
      onValueChange={choose}
      className="min-w-0 border-line max-[899px]:border-t min-[900px]:border-l"
    >
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 border-b border-line px-3.5 max-wide:pt-2">
        <h2 className="font-semibold">{t.mcp.connect}</h2>
        <Tabs.List
          aria-label={t.mcp.connect}
          className="-mx-1.5 flex h-10 items-center gap-0.5 overflow-x-auto [scrollbar-width:none] px-0.5"
        >
          {mcpClients.map(({ id, label }) => (
            <Tabs.Tab
              key={id}
              value={id}
              className="h-7 rounded-md px-2 whitespace-nowrap text-muted hover:text-text data-active:bg-pressed data-active:text-text"
            >
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </div>
      {/* Only the active panel is rendered: a hidden one would stay visible next to it until the next frame. */}
      {mcpClients
        .filter(({ id }) => id === chosen)
        .map((client) => (
          <Tabs.Panel key={client.id} value={client.id} tabIndex={-1} className="px-3.5 py-3">
            <ClientConfig
              client={client}
              url={url}
              created={keys.of(client.id)}
              busy={keys.busy}
              onCreate={() => void keys.create(client)}
              onStored={() => keys.forget(client.id)}
            />
          </Tabs.Panel>
        ))}
    </Tabs.Root>
  );
}

interface ClientConfigProps {
  readonly client: McpClient;
  readonly url: string;
  readonly created: CreatedKey | undefined;
  readonly busy: boolean;
  readonly onCreate: () => void;
  readonly onStored: () => void;
}

function ClientConfig({ client, url, created, busy, onCreate, onStored }: ClientConfigProps): ReactNode {
  const t = useMessages();
  const standIn = t.overview.yourKey;
  const text = configText(client.id, url, created?.secret ?? standIn);
  return (
    <>
      {client.places.length === 0 ? (
        <p className="text-muted">{t.mcp.inTerminal}</p>
      ) : (
        <>
          <p className="text-muted">{t.mcp.intoFile}</p>
          <dl className="mt-1 grid grid-cols-[minmax(88px,auto)_minmax(0,1fr)] items-center gap-x-3">
            {client.places.map(({ kind, path }) => (
              <div key={path} className="contents">
                <dt className="text-meta text-faint">{t.mcp.places[kind]}</dt>
                <dd className="flex min-w-0 items-center gap-1">
                  <code className="min-w-0 font-mono text-meta wrap-anywhere">{path}</code>
                  <CopyIcon text={path} label={t.mcp.copyPath(path)} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <pre
        aria-label={t.mcp.configOf(client.label)}
        data-secret={created === undefined ? undefined : true}
        className="mt-2 rounded-md border border-line bg-canvas px-3 py-2 font-mono text-meta whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
      <p className="mt-2 text-meta text-faint">
        {client.holdsKey && created === undefined && `${t.mcp.standIn(standIn)} `}
        {t.mcp.notes[client.id]}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={text} label={t.mcp.copyConfig} />
        {created === undefined && (
          <Button icon={<KeyRound size={14} aria-hidden />} busy={busy} onClick={onCreate}>
            {t.mcp.createKey}
          </Button>
        )}
      </div>
      {created !== undefined && <NewKey created={created} isPrompted={!client.holdsKey} onStored={onStored} />}
    </>
  );
}

interface NewKeys {
  readonly busy: boolean;
  of(client: McpClientId): CreatedKey | undefined;
  create(client: McpClient): Promise<void>;
  forget(client: McpClientId): void;
}

/** Keys created here, until they are stored or the page is left, because they are shown nowhere else. */
function useNewKeys(): NewKeys {
  const { client: control } = useGateway();
  const cache = useQueryClient();
  const [made, setMade] = useState<Readonly<Partial<Record<McpClientId, CreatedKey | undefined>>>>({});
  const { busy, run } = useBusy();
  return {
    busy,
    of: (client) => made[client],
    async create({ id, label }) {
      await run(async () => {
        const created = await control.call("createKey", { name: label });
        setMade((before) => ({ ...before, [id]: created }));
        await cache.invalidateQueries({ queryKey: [queryNames.keys] });
      });
    },
    forget: (client) => setMade((before) => ({ ...before, [client]: undefined })),
  };
}

interface NewKeyProps {
  readonly created: CreatedKey;
  /** Whether the client prompts for the key, which is then not in the configuration. */
  readonly isPrompted: boolean;
  readonly onStored: () => void;
}

/** A new key, shown until it is stored. */
function NewKey({ created, isPrompted, onStored }: NewKeyProps): ReactNode {
  const t = useMessages();
  const panel = useRef<HTMLDivElement>(null);
  // The button that made it is gone; the first thing to do now is to copy.
  useEffect(() => panel.current?.querySelector("button")?.focus(), []);
  const { name } = created.key;
  return (
    <div ref={panel} className="mt-3 rounded-md border border-line-strong bg-canvas p-3">
      <output className="block">{isPrompted ? t.mcp.createdAsked(name) : t.mcp.created(name)}</output>
      <code aria-label={t.mcp.newKey} className="mt-1 block font-mono text-meta select-all wrap-anywhere" data-secret>
        {created.secret}
      </code>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <CopyButton text={created.secret} label={t.mcp.copyKey} look="primary" />
        <Button onClick={onStored}>{t.mcp.stored}</Button>
      </div>
    </div>
  );
}
