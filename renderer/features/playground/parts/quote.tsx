import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { useGateway } from "../../../api/gateway.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Cost } from "../../../components/ui/figures.tsx";
import { useSentence } from "../../../components/ui/toasts.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { readCost, readSentence, type ResultCost } from "../../../api/result-parts.ts";
import { playgroundKey } from "../../../api/v1/playground-key.ts";

export interface QuoteProps {
  /** Equivalent calls of the tool server's tools, several if they are made together; null: not ready. */
  readonly ask: () => QuotedCall | readonly QuotedCall[] | null;
  /** Identifies the estimated request: an estimate of another one is not shown. */
  readonly stamp: string;
}

export interface QuotedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

type Estimated =
  | { readonly kind: "cost"; readonly cost: ResultCost }
  | { readonly kind: "refused"; readonly sentence: string };

/** Cost estimate of a call by the MCP tool's quote: no provider is called, nothing is spent. */
export function Quote({ ask, stamp }: QuoteProps): ReactNode {
  const t = useMessages();
  const estimateOf = useEstimates();
  const [asking, setAsking] = useState(false);
  const [quoted, setQuoted] = useState<{ readonly stamp: string; readonly response: Estimated } | null>(null);

  const quote = async (): Promise<void> => {
    const inputs = [ask() ?? []].flat();
    if (inputs.length === 0 || asking) return;
    setAsking(true);
    setQuoted({ stamp, response: await estimateOf(inputs) });
    setAsking(false);
  };
  const response = quoted?.stamp === stamp ? quoted.response : null;
  return (
    <>
      <Button busy={asking} onClick={() => void quote()}>
        {t.mcp.quote}
      </Button>
      <output className="order-last basis-full text-end wrap-anywhere empty:hidden">
        {response?.kind === "cost" && (
          <>
            <span className="text-muted">{t.mcp.costs[response.cost.kind]} </span>
            <Cost nano={response.cost.nano} sandbox={response.cost.sandbox} />
          </>
        )}
        {response?.kind === "refused" && <span className="text-danger-text">{response.sentence}</span>}
      </output>
    </>
  );
}

/** Milliseconds without typing before an estimate. */
const REST_MS = 400;

/** Short estimate of the next turn, updated when typing pauses. */
export function LiveQuote({ ask, stamp }: QuoteProps): ReactNode {
  const t = useMessages();
  const estimateOf = useEstimates();
  const [quoted, setQuoted] = useState<{ readonly stamp: string; readonly response: Estimated } | null>(null);
  const estimate = useEffectEvent(async (of: string, isOver: () => boolean) => {
    const inputs = [ask() ?? []].flat();
    if (inputs.length === 0) return setQuoted(null);
    const response = await estimateOf(inputs);
    if (!isOver()) setQuoted({ stamp: of, response });
  });
  useEffect(() => {
    let over = false;
    const timer = setTimeout(() => void estimate(stamp, () => over), REST_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [stamp]);
  // The previous figure stays, dimmed, until the next arrives, so that the layout does not jump while typing.
  if (quoted === null) return null;
  const { response } = quoted;
  return (
    <output className={`numeric text-meta ${quoted.stamp === stamp ? "text-muted" : "text-faint"}`}>
      {response.kind === "cost" ? (
        <>
          <span title={response.cost.kind === "about" ? t.playground.upToHelp : undefined}>
            {response.cost.kind === "about" ? t.playground.upTo : t.mcp.costs[response.cost.kind]}
          </span>{" "}
          <Cost nano={response.cost.nano} sandbox={response.cost.sandbox} />
        </>
      ) : (
        <span title={response.sentence}>{t.playground.noEstimate}</span>
      )}
    </output>
  );
}

/** Asks the tool server what calls would cost together. */
function useEstimates(): (calls: readonly QuotedCall[]) => Promise<Estimated> {
  const { client } = useGateway();
  const wordsOf = useSentence();
  const estimateOf = async (call: QuotedCall): Promise<Estimated> => {
    try {
      const { key } = await playgroundKey(client).get();
      const response = await client.call("tryTool", { ...call, key: key.id, quote: true });
      const cost = response.is_error ? undefined : readCost(response.structured);
      return cost === undefined ? { kind: "refused", sentence: readSentence(response) } : { kind: "cost", cost };
    } catch (error) {
      return { kind: "refused", sentence: wordsOf(error) };
    }
  };
  return async (calls) => together(await Promise.all(calls.map(estimateOf)));
}

/** Sums the estimates of calls that are made together; the first refusal if one is refused. */
function together(responses: readonly Estimated[]): Estimated {
  return responses.reduce((sum, next) => {
    if (sum.kind === "refused" || next.kind === "refused") return sum.kind === "refused" ? sum : next;
    const [a, b] = [sum.cost, next.cost];
    const nano = a.nano === null || b.nano === null ? null : a.nano + b.nano;
    return {
      kind: "cost",
      cost: { nano, sandbox: a.sandbox && b.sandbox, kind: a.kind === b.kind ? a.kind : "about" },
    };
  });
}
