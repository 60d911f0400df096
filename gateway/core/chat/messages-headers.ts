/**
 * Whether a client's header belongs to Anthropic's dialect and goes to providers that speak it, known here or not:
 * version, betas, further `anthropic-*`, and the ids of Claude Code's sessions (docs/clients.md#claude-code). Nothing
 * else of the client's goes to a provider (docs/providers/README.md#headers).
 * @param name lower case.
 */
export function isMessagesHeader(name: string): boolean {
  return name.startsWith("anthropic-") || name.startsWith("x-claude-code-");
}
