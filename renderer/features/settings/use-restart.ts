import { useState } from "react";
import type { AddressView } from "../../../gateway/contract/address.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";

const LOOK_MS = 200;
/** A drain takes up to five seconds. */
const TIMEOUT_MS = 15_000;

export interface Restart {
  readonly busy: boolean;
  run(): void;
}

/** Restarts Postern and opens the pages at their next address; null if neither the app nor the gateway supports it. */
export function useRestart(address: AddressView | undefined): Restart | null {
  const { client } = useGateway();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const { desktop } = window;
  if (desktop === undefined && address?.can_restart !== true) return null;

  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      if (desktop !== undefined) return await desktop.restart();
      const { token } = await client.call("restart");
      await gone();
      const next = findNextOrigin(address);
      if (next === location.origin) await back();
      // At the same address only the fragment differs, and the pages reopen with its token.
      location.replace(`${next}/#token=${token}`);
    } catch (error) {
      notify.showError(error);
      setBusy(false);
    }
  };
  return { busy, run: () => void run() };
}

/** Returns the pages' origin after the restart. A port of 0 stays the current one. */
function findNextOrigin(address: AddressView | undefined): string {
  const port = address?.next.port ?? 0;
  return port === 0 ? location.origin : `${location.protocol}//${location.hostname}:${port}`;
}

const responses = (): Promise<boolean> =>
  fetch("/health", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );

const gone = (): Promise<void> => until(async () => !(await responses()));
const back = (): Promise<void> => until(responses);

async function until(met: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < TIMEOUT_MS; waited += LOOK_MS) {
    if (await met()) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
