// Without zod, because the ledger's thread loads it first.

/** The fields of text by which requests are filtered, as receipts name them, and their longest values. */
export const FILTER_FIELDS = {
  key: 100,
  model: 200,
  provider: 100,
  /** Id of a connection. */
  connection: 100,
  client: 200,
  /** `chat`, `messages`, … */
  endpoint: 50,
  session: 256,
  project: 100,
  agent: 256,
} as const;
export type FilterField = keyof typeof FILTER_FIELDS;
