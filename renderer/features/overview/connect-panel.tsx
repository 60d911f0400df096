import { X } from "lucide-react";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import type { State } from "../../../gateway/contract/control.ts";
import { useKeys, useModels } from "../../api/queries.ts";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { CopyIcon } from "../../components/ui/copy.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, routeHash, useRoute } from "../../lib/router.ts";
import { useRoving } from "../../lib/roving.ts";
import { useStored } from "../../lib/stored.ts";
import { KEY_NAME } from "../../api/v1/playground-key.ts";
import type { ExampleKey } from "./example-key.ts";
import { exampleModel, exampleText, examples, type Example } from "./examples.ts";

const STORED = "connectCard";
const HIDDEN = "hidden";

export interface ConnectPanelProps {
  readonly state: State;
  readonly exampleKey: ExampleKey;
}

/**
 * Base URL, key, and an example: what a client needs to connect. It can be dismissed; `card` in the address restores
 * it.
 */
export function ConnectPanel({ state, exampleKey }: ConnectPanelProps): ReactNode {
  const t = useMessages();
  const [stored, store] = useStored(STORED);
  const { params } = useRoute();
  const isRequested = params.get("card") === "connect";
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isRequested) return;
    store(null);
    panel.current?.scrollIntoView({ block: "nearest" });
    panel.current?.focus({ preventScroll: true });
    replaceParams({ card: null });
  }, [isRequested, store]);
  if (stored === HIDDEN && !isRequested) return null;
  const baseUrl = `${state.url}/v1`;
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={t.overview.connect}
      className="panel min-[900px]:grid min-[900px]:grid-cols-[2fr_3fr]"
    >
      <div className="px-3.5 py-3">
        <div className="mb-2 flex items-center gap-2">
          <h2 className="min-w-0 grow truncate font-semibold">{t.overview.connect}</h2>
          <a href={routeHash("clients")}>{t.firstRun.moreApps}</a>
          <IconButton label={t.overview.hideConnect} onClick={() => store(HIDDEN)}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
        <dl className="grid grid-cols-[76px_minmax(0,1fr)] items-center gap-y-1">
          <dt className="text-muted">{t.overview.baseUrl}</dt>
          <dd className="flex min-h-8 items-center gap-1">
            <code className="truncate font-mono" title={baseUrl}>
              {baseUrl}
            </code>
            <CopyIcon text={baseUrl} label={t.overview.copyBaseUrl} />
          </dd>
          <dt className="text-muted">{t.overview.key}</dt>
          <KeyLine exampleKey={exampleKey} />
          <dt className="text-muted">{t.overview.models}</dt>
          <ModelsLine connections={state.connections} />
        </dl>
      </div>
      <ExampleBox origin={state.url} secret={exampleKey.created?.secret ?? null} />
    </section>
  );
}

/** A stored key can only be named, because its secret was shown once. A key created here is filled in. */
function KeyLine({ exampleKey }: { readonly exampleKey: ExampleKey }): ReactNode {
  const t = useMessages();
  const { created, isFirst, busy, create } = exampleKey;
  const { data: keys = [] } = useKeys();
  // The playground's key is in no client.
  const usable = keys.filter(({ state, name }) => state === "active" && name !== KEY_NAME);
  const newest = usable.toSorted((a, b) => (b.last_used_at ?? b.created_at) - (a.last_used_at ?? a.created_at))[0];
  if (created !== null)
    return (
      <dd className="min-w-0 py-1">
        <div className="flex items-center gap-1">
          <code className="min-w-0 font-mono select-all wrap-anywhere" data-secret>
            {created.secret}
          </code>
          <CopyIcon text={created.secret} label={t.keys.copyKey} />
        </div>
        <p className="text-meta text-muted">{isFirst ? t.overview.keyFirst : t.overview.keyOnce}</p>
      </dd>
    );
  return (
    <dd className="flex min-h-8 flex-wrap items-center gap-x-2.5 gap-y-1">
      {newest === undefined ? (
        <span className="text-muted">{t.overview.noKey}</span>
      ) : (
        <>
          <code className="font-mono" title={`${newest.name}. ${t.overview.keyShownOnce}`}>
            {newest.hint}
          </code>
          <span className="truncate text-muted">{newest.name}</span>
          {usable.length > 1 && <a href={routeHash("keys")}>{t.overview.moreKeys(usable.length - 1)}</a>}
        </>
      )}
      <Button busy={busy} onClick={create}>
        {t.overview.createKey}
      </Button>
    </dd>
  );
}

function ModelsLine({ connections }: { readonly connections: number }): ReactNode {
  const t = useMessages();
  const { data: models } = useModels();
  // Counted like on the Models page: without unserved models, and the sandbox is not a provider.
  const served = models?.filter(({ served: is }) => is);
  const real = served?.filter(({ sandbox }) => !sandbox);
  const words =
    served === undefined || real === undefined
      ? ""
      : connections === 0
        ? t.overview.modelsSandbox(served.length)
        : t.overview.modelsFrom(real.length, connections);
  return (
    <dd className="flex min-h-8 items-center">
      <a href={routeHash("connections")}>{words}</a>
    </dd>
  );
}

interface ExampleBoxProps {
  readonly origin: string;
  /** Displayed key; null: a text in its place. */
  readonly secret: string | null;
}

function ExampleBox({ origin, secret }: ExampleBoxProps): ReactNode {
  const t = useMessages();
  const { data: models = [] } = useModels();
  const [chosen, choose] = useState<Example>("curl");
  const panel = useId();
  const roving = useRoving<HTMLDivElement>();
  const text = exampleText(chosen, origin, secret ?? t.overview.yourKey, exampleModel(models));
  return (
    <div className="min-w-0 border-line max-[899px]:border-t min-[900px]:border-l">
      <div className="flex h-10 items-center border-b border-line pr-1.5 pl-2">
        <div
          ref={roving}
          role="tablist"
          aria-label={t.overview.example}
          className="flex grow gap-0.5 overflow-x-auto [scrollbar-width:none]"
        >
          {examples.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`${panel}-${id}`}
              aria-selected={id === chosen}
              aria-controls={panel}
              onClick={() => choose(id)}
              className="h-7 rounded-md px-2 text-muted whitespace-nowrap hover:text-text aria-selected:bg-pressed aria-selected:text-text"
            >
              {label}
            </button>
          ))}
        </div>
        <CopyIcon text={text} label={t.overview.copyExample} />
      </div>
      <div id={panel} role="tabpanel" aria-labelledby={`${panel}-${chosen}`} tabIndex={-1}>
        <pre className="h-41 max-wide:h-48 overflow-y-auto px-3.5 py-2.5 font-mono text-meta whitespace-pre-wrap wrap-anywhere text-muted">
          {text}
        </pre>
      </div>
    </div>
  );
}
