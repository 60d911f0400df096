import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";
import { GatewayProvider } from "./api/gateway.tsx";
import { useSessionState, type Session } from "./api/session.ts";
import { Shell } from "./components/frame/shell.tsx";
import { ToastProvider } from "./components/ui/toasts.tsx";
import { TooltipLayer } from "./components/ui/tooltip.tsx";
import { SessionScreen } from "./features/session/session-screen.tsx";
import { useAppearance } from "./lib/appearance.ts";
import { SpeechProvider, type Spoken } from "./lib/i18n.tsx";

export interface AppProps {
  readonly session: Session;
  readonly words: Spoken;
}

export function App({ session, words }: AppProps): ReactNode {
  const state = useSessionState(session);
  useAppearance();
  return (
    <CSPProvider disableStyleElements>
      <SpeechProvider first={words}>
        <ToastProvider>
          {state.status === "open" ? (
            <GatewayProvider session={session}>
              <Shell />
            </GatewayProvider>
          ) : (
            <SessionScreen session={session} state={state} />
          )}
        </ToastProvider>
        <TooltipLayer />
      </SpeechProvider>
    </CSPProvider>
  );
}
