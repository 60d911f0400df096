/**
 * Claude Code's attribution line, first in `system`: it changes with each request and is meant for Anthropic only,
 * which removes it (docs/clients.md#claude-code).
 */
export const BILLING_LINE = /^\s*x-anthropic-billing-header:[^\n]*\n*/i;
