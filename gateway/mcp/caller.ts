import type { AuthInfo } from "@modelcontextprotocol/server";
import type { Identity } from "../core/sessions/identity.ts";
import type { RingKey } from "../services/keys/key-ring.ts";

/** The client of a message's request. */
export interface Caller {
  readonly key: RingKey;
  readonly requestId: string;
  /** Monotonic milliseconds. */
  readonly arrivedAt: number;
  /** Name of the app, as receipts have it. */
  readonly app: string;
  /** Session, project and agent from the request's headers; absent: none. */
  readonly identity?: Identity;
  /** Reports facts of the request to the access log. */
  readonly note: (model: string, code: string | null) => void;
}

/** Returns the caller in the SDK's form for tools. It contains no token, because tools need none. */
export function getAuthInfo(caller: Caller): AuthInfo {
  return { token: "", clientId: caller.key.record.id, scopes: [], extra: { caller } };
}

/** @throws Error if a message did not come through the endpoint */
export function getCaller(info: AuthInfo | undefined): Caller {
  const caller = info?.extra?.["caller"];
  if (caller === undefined) throw new Error("authentication comes first");
  return caller as Caller;
}
