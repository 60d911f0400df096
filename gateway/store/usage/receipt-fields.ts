/** The fields of a receipt in the log, in the order in which they are written: the next is looked for first. */
export const RECEIPT_FIELDS = [
  "id",
  "at",
  "key",
  "endpoint",
  "model",
  "provider",
  "connection",
  "client",
  "status",
  "code",
  "outcome",
  "stream",
  "ms",
  "first_ms",
  "wait_ms",
  "connect_ms",
  "attempts",
  "sandbox",
  "estimated",
  "terms",
  "nano",
  "price",
  "kinds",
  "route",
  "session",
  "project",
  "agent",
  "context",
  "finished_for_library",
] as const;
export type ReceiptField = (typeof RECEIPT_FIELDS)[number];

/** Fields whose texts come again and again. */
export const REPEATED_FIELDS = [
  "key",
  "endpoint",
  "model",
  "provider",
  "connection",
  "client",
  "code",
  "outcome",
  "session",
  "project",
  "agent",
  "route",
] as const satisfies readonly ReceiptField[];
export type RepeatedField = (typeof REPEATED_FIELDS)[number];

/** Fields of text that a filter looks at. */
export type TextField = "id" | RepeatedField;
