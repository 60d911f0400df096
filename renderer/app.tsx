import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import type { ReactNode } from "react";
import { GatewayProvider } from "./api/gateway.tsx";
import { useSessionState, type Session } from "./api/session.ts";
import { Shell } from "./components/frame/shell.tsx";
import { ToastProvider } from "./components/ui/toasts.tsx";
import { SessionScreen } from "./features/session/session-screen.tsx";
import { SpeechProvider } from "./lib/i18n.tsx";

export function App({ session }: { readonly session: Session }): ReactNode {
  const state = useSessionState(session);
  return (
    <CSPProvider disableStyleElements>
      <SpeechProvider>
        <Tooltip.Provider delay={400}>
          <ToastProvider>
            {state.status === "open" ? (
              <GatewayProvider session={session}>
                <Shell />
              </GatewayProvider>
            ) : (
              <SessionScreen session={session} state={state} />
            )}
          </ToastProvider>
        </Tooltip.Provider>
      </SpeechProvider>
    </CSPProvider>
  );
}
