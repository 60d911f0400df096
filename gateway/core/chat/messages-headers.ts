/**
 * Tells whether a client's header belongs to Anthropic's dialect and is forwarded to its providers, known here or not:
 * version, betas, further `anthropic-*`, and the ids of Claude Code's sessions (docs/clients.md#claude-code). No other
 * client header is forwarded (docs/providers/README.md#headers).
 * @param name lower case.
 */
export function isMessagesHeader(name: string): boolean {
  return name.startsWith("anthropic-") || name.startsWith("x-claude-code-");
}
