import { ExternalLink, KeyRound, Zap } from "lucide-react";
import type { ReactNode } from "react";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { usePresets } from "../../api/queries.ts";
import { getHealth, type ConnectionHealth } from "../../components/connection-health.ts";
import { Dot } from "../../components/ui/badge.tsx";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { Moment, useAge } from "../../components/ui/figures.tsx";
import { formatDuration } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { useNow } from "../../lib/now.ts";
import { LatencySparkline } from "./latency-sparkline.tsx";
import type { ConnectionTestState } from "./use-connection-test.ts";

export interface HealthRowProps {
  readonly connection: ConnectionView;
  readonly tested: ConnectionTestState;
  readonly onReplace: () => void;
}

/** How a connection is doing: one state, one sentence, one thing to do, with what its traffic says. */
export function HealthRow({ connection, tested, onReplace }: HealthRowProps): ReactNode {
  const t = useMessages();
  const health = getHealth(connection);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-1 pr-2 pl-3.5">
      <output className="flex min-w-0 grow basis-60 flex-wrap items-baseline gap-x-3 wrap-anywhere">
        <span className="flex items-center gap-2 font-medium">
          <Dot tone={health.tone} />
          {t.connections.states[health.state]}
        </span>
        <Sentence health={health} tested={tested} />
      </output>
      {connection.last_success_at !== null && (
        <span className="text-meta text-muted">
          {t.connections.lastSuccess} <Moment at={connection.last_success_at} />
        </span>
      )}
      <LatencySparkline connection={connection.id} />
      <HealthButton health={health} connection={connection} tested={tested} onReplace={onReplace} />
    </div>
  );
}

function Sentence({
  health,
  tested,
}: {
  readonly health: ConnectionHealth;
  readonly tested: ConnectionTestState;
}): ReactNode {
  const t = useMessages();
  const ageOf = useAge();
  const now = useNow();
  const { state, sentence, reason, until } = health;
  const { result } = tested;
  // The result of a passed test replaces an empty state.
  if (result?.ok === true && (state === "healthy" || state === "unknown")) {
    const { models, ms } = result;
    return (
      <span className={models > 0 ? "text-success-text" : "text-muted"}>
        {models > 0 ? t.connections.reached(formatDuration(ms), models) : t.connections.notAsked}
      </span>
    );
  }
  // Keys and models have different reasons, listed separately.
  const apart = sentence === "some_keys" || sentence === "some_models";
  const parts = [
    t.connections.sentences[sentence],
    // The provider's or network's own message, whatever the language of the page is.
    apart || reason === null || reason === "" ? "" : t.connections.quoted(reason),
    !apart && until !== null && until > now ? `(${t.connections.until(ageOf(until))})` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? null : <span className="text-muted">{parts.join(" ")}</span>;
}

/** Button that fixes the connection if it fails; else the test. */
function HealthButton({
  health,
  connection,
  tested,
  onReplace,
}: HealthRowProps & { readonly health: ConnectionHealth }): ReactNode {
  const t = useMessages();
  const { data: presets } = usePresets();
  const { name, provider, base_url } = connection;
  const { actions } = t.connections;
  if (health.action === "replace_key") {
    return (
      <Button
        icon={<KeyRound size={14} aria-hidden />}
        aria-label={t.connections.actionNamed(actions.replace_key, name)}
        onClick={onReplace}
      >
        {actions.replace_key}
      </Button>
    );
  }
  // The provider's own console, for keys and credit.
  const known = presets?.filter((preset) => preset.provider === provider) ?? [];
  const console = (known.find((preset) => preset.base_url === base_url) ?? known[0])?.keys_url ?? null;
  if (health.action === "top_up" && console !== null && provider !== "openai-compatible") {
    return (
      <a
        href={new URL(console).origin}
        target="_blank"
        rel="noreferrer"
        aria-label={t.connections.actionNamed(actions.top_up, name)}
        className={`${buttonClass("plain")} no-underline`}
      >
        {actions.top_up}
        <ExternalLink size={13} aria-hidden />
      </a>
    );
  }
  const again = health.tone === "warning" || health.tone === "danger" || health.state === "absent";
  return (
    <Button
      icon={<Zap size={14} aria-hidden />}
      busy={tested.testing}
      aria-label={again ? t.connections.actionNamed(actions.retry, name) : t.connections.testNamed(name)}
      onClick={tested.test}
    >
      {tested.testing ? t.connections.testing : again ? actions.retry : actions.test}
    </Button>
  );
}
