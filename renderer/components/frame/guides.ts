import type { PageId } from "../../locales/messages.ts";

/** The page of docs/guide that a page's help opens. */
export const guides: Readonly<Record<PageId, string>> = {
  clients: "other-apps",
  connections: "connect-a-provider",
  import: "import",
  keys: "keys-and-limits",
  library: "media-library",
  mcp: "mcp",
  models: "models-and-aliases",
  overview: "index",
  playground: "sandbox",
  requests: "usage-and-receipts",
  routes: "routes",
  sessions: "sessions",
  settings: "headless-and-environment",
  tasks: "videos-and-webhooks",
  usage: "usage-and-receipts",
};
