import type { Log } from "../lib/log.ts";

/** A line of the log: an event for machines (`event`) and as text (`message`). Never holds a secret. */
export interface StoreEvent {
  readonly event: string;
  readonly level: "info" | "warning" | "error";
  readonly message: string;
  readonly file?: string;
  readonly code?: string;
}

export type StoreLog = (event: StoreEvent) => void;

/** The store's events in the gateway's log. */
export function storeLogTo(log: Log): StoreLog {
  return ({ level, event, message, file }) => log[level === "warning" ? "warn" : level](event, { message, file });
}
