import { useState } from "react";
import { useGateway } from "../../api/gateway.tsx";

export interface Broken {
  /** The reason that the file cannot be shown: the file itself, or that Postern does not respond. Null: it can. */
  readonly because: "file" | "gateway" | null;
  /** Called if it could not be loaded. */
  fail(): void;
}

/** Whether a file can be shown. What failed while Postern did not answer is tried again when it does. */
export function useBroken(source: string | null): Broken {
  const { connected } = useGateway();
  const [failed, setFailed] = useState<string | null>(null);
  const [before, setBefore] = useState(connected);
  if (before !== connected) {
    setBefore(connected);
    if (connected === true) setFailed(null);
  }
  const broken = source !== null && failed === source;
  return { because: broken ? (connected === false ? "gateway" : "file") : null, fail: () => setFailed(source) };
}
