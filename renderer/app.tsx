import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";
import { GatewayProvider } from "./api/gateway.tsx";
import { useSessionState, type Session } from "./api/session.ts";
import { Shell } from "./components/frame/shell.tsx";
import { ToastProvider } from "./components/ui/toasts.tsx";
import { TooltipLayer } from "./components/ui/tooltip.tsx";
import { SessionScreen } from "./features/session/session-screen.tsx";
import { SpeechProvider } from "./lib/i18n.tsx";

export function App({ session }: { readonly session: Session }): ReactNode {
  const state = useSessionState(session);
  return (
    <CSPProvider disableStyleElements>
      <SpeechProvider>
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
