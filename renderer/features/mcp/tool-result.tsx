/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard. */
import { Clapperboard, LoaderCircle, Images } from "lucide-react";
import type { ReactNode } from "react";
import type { McpCall, McpTool, TriedTool } from "../../../gateway/contract/mcp.ts";
import { ControlError } from "../../api/client.ts";
import { buttonClass } from "../../components/ui/button.tsx";
import { CopyIcon } from "../../components/ui/copy.tsx";
import { FailedNote } from "../../components/ui/failed-note.tsx";
import { Cost } from "../../components/ui/figures.tsx";
import { useSentence } from "../../components/ui/toasts.tsx";
import { formatDuration } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { readCost, getParts, readSentence } from "../../api/result-parts.ts";
import type { Trial, Trying } from "./use-try.ts";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { MediaViewer } from "../../components/media/media-viewer.tsx";
import { useMediaItem } from "../../components/media/use-media-item.ts";

export interface ToolResultProps {
  readonly tool: McpTool;
  readonly trying: Trying;
  /** Live calls, which include this one's progress. */
  readonly calls: readonly McpCall[];
}

/** Last result of the tool, or its progress. Next to a long form it stays in sight. */
export function ToolResult({ tool, trying: { trial, running }, calls }: ToolResultProps): ReactNode {
  const t = useMessages();
  const title = trial?.quote === true ? t.mcp.quoteResult : t.mcp.result;
  return (
    <section
      aria-label={title}
      aria-busy={running || undefined}
      className="flex min-w-0 flex-col gap-2.5 self-start min-[900px]:sticky min-[900px]:top-0"
    >
      <div className="flex min-h-5 items-baseline gap-2">
        <h3 className="grow font-semibold">{title}</h3>
        {trial !== null && trial.ms !== null && (
          <span className="numeric text-meta text-faint">{t.mcp.took(formatDuration(trial.ms))}</span>
        )}
      </div>
      {trial === null ? (
        <p className="text-muted">{t.mcp.noResult}</p>
      ) : running ? (
        <Running trial={trial} word={getProgress(calls, tool, trial)} />
      ) : trial.response === null ? (
        <Refused error={trial.error} />
      ) : trial.response.cancelled ? (
        <Cancelled response={trial.response} />
      ) : trial.response.is_error ? (
        <FailedNote code={trial.response.code} sentence={readSentence(trial.response)} />
      ) : (
        <ToolResponse response={trial.response} />
      )}
    </section>
  );
}

/** The newest word on the newest running call of this tool under this key, since the trial began. */
function getProgress(calls: readonly McpCall[], tool: McpTool, { key, from }: Trial): string {
  const call = calls.find(
    (each) => each.tool === tool.name && each.key === key && each.status === "running" && each.at >= from - 2_000,
  );
  return call?.progress ?? "";
}

function Running({ trial, word }: { readonly trial: Trial; readonly word: string }): ReactNode {
  const t = useMessages();
  return (
    <output className="late flex items-center gap-2 text-muted">
      <LoaderCircle size={15} aria-hidden className="shrink-0 animate-spin" />
      <span className="min-w-0 wrap-anywhere">
        {trial.quote ? t.mcp.quoting : t.mcp.running}
        {word !== "" && <span className="numeric text-faint"> · {word}</span>}
      </span>
    </output>
  );
}

/** Notice that the part made before cancellation is billed, and available with the receipt. */
function Cancelled({ response: { spent, request_id: id } }: { readonly response: TriedTool }): ReactNode {
  const t = useMessages();
  return (
    <>
      <p className="text-muted">{t.mcp.wasCancelled}</p>
      {spent === null ? (
        <p className="text-muted">{t.mcp.costNothing}</p>
      ) : (
        <p className="flex items-baseline gap-2">
          <span className="text-muted">{t.mcp.costs.is}</span>
          <Cost nano={spent.nano} sandbox={spent.sandbox} />
        </p>
      )}
      {spent !== null && (
        <a href={routeHash("requests", { id })} className="self-start">
          {t.mcp.showRequest}
        </a>
      )}
    </>
  );
}

function Refused({ error }: { readonly error: unknown }): ReactNode {
  const sentence = useSentence()(error);
  return <FailedNote code={error instanceof ControlError ? error.code : null} sentence={sentence} />;
}

function ToolResponse({ response }: { readonly response: TriedTool }): ReactNode {
  const t = useMessages();
  const parts = getParts(response);
  const cost = readCost(response.structured);
  return (
    <>
      {cost !== undefined && (
        <p className="flex items-baseline gap-2">
          <span className="text-muted">{t.mcp.costs[cost.kind]}</span>
          <Cost nano={cost.nano} sandbox={cost.sandbox} />
        </p>
      )}
      {parts.media.map((id) => (
        <SavedMedia key={id} id={id} />
      ))}
      {parts.tasks.map((id) => (
        <a
          key={id}
          href={routeHash("tasks", { task: id })}
          className={`${buttonClass("plain")} self-start no-underline`}
        >
          <Clapperboard size={14} aria-hidden />
          {t.mcp.showTask}
        </a>
      ))}
      {parts.texts.length > 0 && (
        <section
          aria-label={t.mcp.response}
          tabIndex={0}
          className="max-h-80 overflow-y-auto rounded-md border border-line bg-canvas px-3 py-2 whitespace-pre-wrap wrap-anywhere"
        >
          {parts.texts.join("\n\n")}
        </section>
      )}
      {parts.unkept > 0 && <p className="text-meta text-faint">{t.mcp.unkept(parts.unkept)}</p>}
      {parts.links.length > 0 && (
        <ul className="text-meta">
          {parts.links.map(({ uri, name }) => (
            <li key={uri} className="flex items-center gap-1">
              <span className="min-w-0 truncate text-muted" title={uri}>
                {name}
              </span>
              <CopyIcon text={uri} label={`${t.app.copy}: ${name}`} />
            </li>
          ))}
        </ul>
      )}
      {response.structured !== null && <Structured value={response.structured} />}
    </>
  );
}

function Structured({ value }: { readonly value: Readonly<Record<string, unknown>> }): ReactNode {
  const t = useMessages();
  const text = JSON.stringify(value, null, 2);
  return (
    <details>
      <summary className="w-fit rounded-sm py-1 text-muted hover:text-text">{t.mcp.structured}</summary>
      <div className="relative mt-1.5">
        <section
          aria-label={t.mcp.structured}
          tabIndex={0}
          className="max-h-80 overflow-auto rounded-md border border-line bg-canvas px-3 py-2 pr-10"
        >
          <pre className="font-mono text-meta whitespace-pre-wrap wrap-anywhere text-muted">{text}</pre>
        </section>
        <div className="absolute top-0.5 right-0.5">
          <CopyIcon text={text} label={t.mcp.copyStructured} />
        </div>
      </div>
    </details>
  );
}

/** Shows a tool result from the library: inline data is not shown, because the CSP only permits Postern's own files. */
function SavedMedia({ id }: { readonly id: string }): ReactNode {
  const t = useMessages();
  const { data, error, refetch } = useMediaItem(id);
  return (
    <div>
      {data !== undefined ? (
        <div className={data.kind === "audio" ? "h-60" : "h-80"}>
          <MediaViewer view={data} />
        </div>
      ) : error === null ? (
        <SkeletonRows rows={3} />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
      <a href={routeHash("library", { media: id })} className={`${buttonClass("plain")} mt-2 no-underline`}>
        <Images size={14} aria-hidden />
        {t.mcp.showInLibrary}
      </a>
    </div>
  );
}
