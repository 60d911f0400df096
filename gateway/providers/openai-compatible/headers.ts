const ANONYMOUS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "accept-encoding": "identity",
} as const;

/** Headers of a request: only these, nothing of the client's is passed on. `secret` null for servers without keys. */
export function bearerHeaders(secret: string | null): Readonly<Record<string, string>> {
  return secret === null ? ANONYMOUS : { ...ANONYMOUS, authorization: `Bearer ${secret}` };
}
