/** The version that is asked for when the client names none (contract, "Messages"). */
const VERSION = "2023-06-01";

/**
 * Headers of a request to Anthropic (upstreams reference 2). Keys go into `x-api-key`; OAuth tokens (`sk-ant-oat…`) are
 * taken as bearers only. `secret` null for a proxy in front of Anthropic that adds the key itself.
 */
export function anthropicHeaders(secret: string | null): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "accept-encoding": "identity",
    "anthropic-version": VERSION,
    ...credential(secret),
  };
}

/**
 * What of a client's headers belongs to its dialect and is passed on unchanged, known here or not (upstreams reference
 * 2.5): version, betas, further `anthropic-*`, and the ids of Claude Code's sessions. Nothing else of the client's goes
 * to the vendor (upstreams reference A.6). Names are lower-case.
 */
export function forwardedHeaders(client: Readonly<Record<string, string>>): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const [name, value] of Object.entries(client))
    if (name.startsWith("anthropic-") || name.startsWith("x-claude-code-")) forwarded[name] = value;
  return forwarded;
}

function credential(secret: string | null): Record<string, string> {
  if (secret === null) return {};
  return secret.startsWith("sk-ant-oat") ? { authorization: `Bearer ${secret}` } : { "x-api-key": secret };
}
