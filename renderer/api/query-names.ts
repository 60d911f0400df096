/** First part of each query's key: what events renew. */
export const queryNames = {
  state: "state",
  keys: "keys",
  connections: "connections",
  presets: "presets",
  models: "models",
  requests: "requests",
} as const;

/** Which requests a list shows. */
export interface RequestFilter {
  readonly key?: string;
  readonly model?: string;
}
