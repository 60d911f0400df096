import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from "react";
import { ControlError, type ControlClient } from "./client.ts";
import { followEvents } from "./events.ts";
import { createLive } from "./live.ts";
import type { Session } from "./session.ts";
import { onNextFrame } from "../lib/next-frame.ts";

interface Gateway {
  readonly client: ControlClient;
  /** Whether the event stream is connected; `undefined` until the first attempt. */
  readonly connected: boolean | undefined;
}

const GatewayContext = createContext<Gateway | null>(null);

/** A refusal states a remedy and is shown immediately; an unreachable gateway is retried twice. */
function worthAnotherTry(failures: number, error: Error): boolean {
  return failures < 2 && !(error instanceof ControlError);
}

export function createCache(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // The event stream reports changes; anything else (such as a day that ended) is refetched at intervals.
      queries: { staleTime: 60_000, retry: worthAnotherTry, refetchOnWindowFocus: true, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
  });
}

/** Data of an open session: the typed client, the query cache, and the events that keep it fresh. */
export function GatewayProvider(props: { readonly session: Session; readonly children: ReactNode }): ReactNode {
  const { session, children } = props;
  const [cache] = useState(createCache);
  const [connected, setConnected] = useState<boolean>();

  useEffect(() => {
    const stopped = new AbortController();
    const live = createLive(cache, onNextFrame);
    void followEvents({
      bearer: session.bearer,
      onEvent: live.receive,
      onConnection: (next) => {
        setConnected(next);
        if (next) live.refreshAll();
      },
      onUnauthorized: session.end,
      signal: stopped.signal,
    });
    return () => {
      stopped.abort();
      live.stop();
    };
  }, [cache, session]);

  const gateway = useMemo(() => ({ client: session.client, connected }), [session, connected]);
  return (
    <QueryClientProvider client={cache}>
      <GatewayContext value={gateway}>{children}</GatewayContext>
    </QueryClientProvider>
  );
}

export function useGateway(): Gateway {
  const gateway = use(GatewayContext);
  if (gateway === null) throw new Error("useGateway outside GatewayProvider");
  return gateway;
}
