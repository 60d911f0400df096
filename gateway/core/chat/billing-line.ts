/**
 * Claude Code's attribution line, first in `system`: it changes from request to request and is meant for Anthropic alone,
 * which takes it out (docs/clients.md#claude-code).
 */
export const BILLING_LINE = /^\s*x-anthropic-billing-header:[^\n]*\n*/i;
