import { BadgeCheck, PlugZap, SquarePen, TextCursorInput, Undo2 } from "lucide-react";
import { useId } from "react";
import type { ReactNode } from "react";
import type { ClientView } from "../../../gateway/contract/clients.ts";
import { AppGlyph } from "../../components/glyph.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import type { Tone } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Money, Moment, SandboxMoney, UnpricedBadge } from "../../components/ui/figures.tsx";
import { Fact } from "../../components/ui/facts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { CheckResult } from "../../components/clients/check-result.tsx";
import { LoopLine } from "./loop-line.tsx";
import { useVerify } from "../../components/clients/use-clients.ts";
import type { Messages } from "../../locales/messages.ts";

/** Dialogs that a card opens. */
export type ClientTask = "connect" | "undo" | "manual";

export interface ClientCardProps {
  readonly client: ClientView;
  /** The home folder on the machine of Postern. */
  readonly home: string;
  readonly onTask: (task: ClientTask) => void;
}

/** A client: its state, its cost, and its actions. */
export function ClientCard({ client, home, onTask }: ClientCardProps): ReactNode {
  const t = useMessages();
  const titleId = useId();
  const { name, writes, connected, files } = client;
  const { state, tone } = getState(client);
  const { busy, verify } = useVerify(client);
  const reasons = [...new Set(files.flatMap(({ reason }) => (reason === null ? [] : [reason])))];
  return (
    <section className="panel flex min-w-0 flex-col" aria-labelledby={titleId} data-client={client.id}>
      <div className="flex items-center gap-3 px-3.5 pt-3">
        <AppGlyph id={client.id} name={name} size={28} />
        <h2 id={titleId} className="min-w-0 grow truncate font-semibold">
          {name}
        </h2>
        <Badge tone={tone}>{t.clients.states[state]}</Badge>
      </div>
      <div className="grow px-3.5 pt-2 pb-3">
        {files.length > 0 && (
          <ul aria-label={t.clients.files} className="text-meta text-faint">
            {files.map(({ path, parts }) => (
              <li key={path} className="wrap-anywhere">
                <code className="font-mono" title={path}>
                  {inHome(path, home)}
                </code>{" "}
                {parts.map((part) => t.clients.parts[part]).join(t.app.listed)}
              </li>
            ))}
          </ul>
        )}
        {files.length === 0 && <p className="text-muted">{manualReason(client, t.clients.manualWhy)}</p>}
        {reasons.map((reason) => (
          <p key={reason} className="mt-1.5 text-danger-text wrap-anywhere">
            {reason}
          </p>
        ))}
        {client.loops.map((loop) => (
          <p key={loop.address} className="mt-1.5 text-warning-text wrap-anywhere">
            <LoopLine loop={loop} />
          </p>
        ))}
        {connected === null && client.calls !== null && client.loops.length === 0 && (
          <p className="mt-1.5 text-muted wrap-anywhere">{t.clients.callsElsewhere(client.calls)}</p>
        )}
        {connected !== null && <Connected connected={connected} />}
      </div>
      <div className="flex flex-wrap items-center gap-1.5 border-t border-line px-3.5 py-2">
        {writes.length > 0 && (files.length > 0 || client.key_elsewhere) && (
          <Button
            look={connected === null && client.found ? "primary" : "plain"}
            icon={connected === null ? <PlugZap size={14} aria-hidden /> : <SquarePen size={14} aria-hidden />}
            aria-label={connected === null ? t.clients.named.connect(name) : t.clients.named.change(name)}
            onClick={() => onTask("connect")}
          >
            {connected === null ? t.clients.connect : t.clients.change}
          </Button>
        )}
        {connected !== null && (
          <>
            <Button
              icon={<BadgeCheck size={14} aria-hidden />}
              busy={busy}
              aria-label={t.clients.named.verify(name)}
              onClick={() => void verify()}
            >
              {busy ? t.clients.verifying : t.clients.verify}
            </Button>
            <Button
              icon={<Undo2 size={14} aria-hidden />}
              aria-label={t.clients.named.undo(name)}
              onClick={() => onTask("undo")}
            >
              {t.clients.undo}
            </Button>
          </>
        )}
        <Button
          look="quiet"
          icon={<TextCursorInput size={14} aria-hidden />}
          aria-label={t.clients.named.manual(name)}
          onClick={() => onTask("manual")}
        >
          {t.clients.manual}
        </Button>
      </div>
    </section>
  );
}

function Connected({ connected }: { readonly connected: NonNullable<ClientView["connected"]> }): ReactNode {
  const t = useMessages();
  const {
    is_outdated: isOutdated,
    key,
    nano,
    sandbox_nano: sandbox,
    requests,
    unpriced_requests: unpriced,
    checks,
  } = connected;
  const [last] = checks;
  return (
    <>
      <dl className="mt-2.5 grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        <Fact label={t.clients.key}>
          {key === null ? t.clients.states.revoked : `${key.name} `}
          {key !== null && <code className="font-mono text-meta text-muted">{key.hint}</code>}{" "}
          {key !== null && (
            <a href={routeHash("keys", { limit: key.id })} aria-label={`${t.keys.limitSpend} ${key.name}`}>
              {t.keys.limitSpend}
            </a>
          )}
        </Fact>
        <Fact label={t.clients.spent}>
          <span className="flex flex-wrap gap-x-2">
            <Money nano={nano} />
            <UnpricedBadge requests={unpriced} />
            {sandbox > 0 && <SandboxMoney nano={sandbox} />}
            <span className="text-muted">{t.clients.calls(requests)}</span>
          </span>
        </Fact>
        <Fact label={t.clients.lastCheck}>
          {last === undefined ? <span className="text-faint">{t.clients.neverChecked}</span> : <Moment at={last.at} />}
        </Fact>
      </dl>
      {isOutdated && <p className="mt-1.5 text-muted">{t.clients.outdated}</p>}
      <output className="block">
        {checks.map((check) => (
          <CheckResult key={check.part} check={check} />
        ))}
      </output>
    </>
  );
}

/** `~/.codex/config.toml`; the whole path is in its title. */
function inHome(path: string, home: string): string {
  const below = home !== "" && path.startsWith(home) && /^[/\\]/.test(path.slice(home.length));
  return below ? `~${path.slice(home.length)}` : path;
}

/** Why a client is not written into a file; empty for those that are. */
export function manualReason({ id }: Pick<ClientView, "id">, reasons: Readonly<Record<string, string>>): string {
  return reasons[id] ?? "";
}

type ClientState = keyof Messages["clients"]["states"];

/** Returns a client's state as one word; states that need action come first. */
export function getState({ writes, connected, files, found }: ClientView): { state: ClientState; tone: Tone } {
  if (writes.length === 0) return { state: "manual", tone: "neutral" };
  if (connected !== null) {
    if (connected.key === null || connected.key.state !== "active") return { state: "revoked", tone: "danger" };
    const ours = files.filter(({ parts }) => parts.some((part) => connected.parts.includes(part)));
    if (ours.some(({ state }) => state === "refused")) return { state: "refused", tone: "danger" };
    if (ours.some(({ state }) => state === "gone")) return { state: "gone", tone: "warning" };
    if (ours.some(({ state }) => state === "changed")) return { state: "changed", tone: "info" };
    if (ours.some(({ state }) => state !== "written")) return { state: "unwritten", tone: "warning" };
    return { state: "connected", tone: "success" };
  }
  if (files.length > 0 && files.every(({ state }) => state === "refused")) return { state: "refused", tone: "danger" };
  return found ? { state: "found", tone: "info" } : { state: "absent", tone: "neutral" };
}
