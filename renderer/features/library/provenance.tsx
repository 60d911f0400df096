import type { ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { CopyIcon } from "../../components/ui/copy.tsx";
import { CodeFact, Fact } from "../../components/ui/facts.tsx";
import { Cost } from "../../components/ui/figures.tsx";
import { formatBytes, formatCount, formatDuration, formatMoment } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { getName } from "../../lib/names.ts";
import { routeHash } from "../../lib/router.ts";

export interface ProvenanceProps {
  readonly view: MediaView;
  readonly keyName: (id: string) => string;
}

/** Origin and properties of a result. All of it is untrusted text: shown as text, never as a link. */
export function Provenance({ view, keyName }: ProvenanceProps): ReactNode {
  const { t, language } = useSpeech();
  const { origin } = view;
  const sent = origin?.parameters ?? {};
  const parameters = Object.keys(sent).length === 0 ? null : JSON.stringify(sent, null, 2);
  return (
    <div className="flex flex-col gap-3">
      {origin === null ? (
        <div>
          <h3 className="text-meta text-faint">{t.library.unknownOrigin}</h3>
          <p>{t.library.unknownOriginHelp}</p>
        </div>
      ) : (
        <Text label={t.library.prompt} text={origin.prompt} copy={t.library.copyPrompt} />
      )}
      <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-3 gap-y-1">
        {origin !== null && <Origin origin={origin} keyName={keyName} />}
        {view.width !== null && view.height !== null && (
          <Fact label={t.library.dimensions}>
            {t.library.pixels(formatCount(view.width), formatCount(view.height))}
          </Fact>
        )}
        {view.duration_ms !== null && <Fact label={t.library.duration}>{formatDuration(view.duration_ms)}</Fact>}
        <Fact label={t.library.size}>
          <span title={`${formatCount(view.bytes)} B`}>{formatBytes(view.bytes)}</span>
        </Fact>
        <Fact label={t.library.type}>{view.type}</Fact>
        <Fact label={t.library.saved}>{formatMoment(view.at, language)}</Fact>
        {origin !== null && <CodeFact label={t.library.requestId} text={origin.request_id} />}
        <CodeFact label={t.library.sha256} text={view.sha256} />
        <CodeFact label={t.library.file} text={view.path} />
      </dl>
      {parameters !== null && (
        <Text label={t.library.parameters} text={parameters} copy={t.library.copyParameters} mono />
      )}
    </div>
  );
}

function Origin(props: {
  readonly origin: NonNullable<MediaView["origin"]>;
  readonly keyName: (id: string) => string;
}): ReactNode {
  const { t } = useSpeech();
  const { model, provider, endpoint, key, seed, nano, sandbox } = props.origin;
  return (
    <>
      <Fact label={t.library.model}>
        <a href={routeHash("library", { model })} className="inline-block leading-6">
          {model}
        </a>
      </Fact>
      <Fact label={t.library.provider}>{provider}</Fact>
      <Fact label={t.library.made}>{getName(t.requests.endpoints, endpoint)}</Fact>
      <Fact label={t.library.key}>
        <a href={routeHash("library", { key })} className="inline-block leading-6">
          {props.keyName(key)}
        </a>
      </Fact>
      {seed !== null && <Fact label={t.library.seed}>{String(seed)}</Fact>}
      <Fact label={t.library.costOf}>
        <a href={routeHash("requests", { id: props.origin.request_id })} title={t.library.costHelp}>
          <Cost nano={nano} sandbox={sandbox} />
        </a>
      </Fact>
    </>
  );
}

interface TextProps {
  readonly label: string;
  readonly text: string;
  /** Name of the button that copies it. */
  readonly copy: string;
  readonly mono?: boolean;
}

/** A long text in its own scrollable frame. */
function Text({ label, text, copy, mono = false }: TextProps): ReactNode {
  const { t } = useSpeech();
  if (text.trim() === "") return <p className="text-faint">{t.library.noPrompt}</p>;
  return (
    <div>
      <div className="flex items-center gap-1">
        <h3 className="grow text-meta text-faint">{label}</h3>
        <CopyIcon text={text} label={copy} />
      </div>
      <section
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be scrolled by keys too.
        tabIndex={0}
        aria-label={label}
        className={`max-h-40 overflow-y-auto rounded-md border border-line bg-canvas px-2.5 py-1.5 whitespace-pre-wrap wrap-anywhere ${mono ? "font-mono text-meta" : ""}`}
      >
        {text}
      </section>
    </div>
  );
}
