/** English words of the Apps page. */
export const clientsEn = {
  about:
    "Each app gets its own key, so you can see what it costs. Postern shows every change to the app's configuration file, keeps a backup, and can restore the file byte for byte.",
  machine: (home: string) => `Files are those of the machine on which Postern runs, below ${home}.`,
  noHome: "The environment of Postern names no home folder, so it writes no files. Set up apps manually.",

  states: {
    connected: "Connected",
    changed: "Connected, file changed since",
    gone: "Connected, file is gone",
    unwritten: "Connected, file not written",
    refused: "Cannot be written",
    found: "Detected",
    absent: "Not installed",
    manual: "Manual setup",
    revoked: "Its key was revoked",
  },
  parts: { models: "Models", mcp: "Tools (MCP)" },
  partsHelp: {
    models: "Its model requests go through Postern.",
    mcp: "It can use Postern's tools: images, speech, videos, quota.",
  },
  callsElsewhere: (address: string) => `It calls ${address} now.`,
  loops: {
    connection: (name: string, address: string) =>
      `The provider ${name} (${address}) leads back to this Postern. Its calls are refused; give it the provider's own address.`,
    "connection-relay": (name: string, relay: string) =>
      `The provider ${name} leads to ${relay}, which leads back to this Postern. Change one of the two.`,
    "client-relay": (address: string, relay: string) =>
      `It calls ${relay} (${address}), which calls this Postern. Connected here, it would no longer go through ${relay}.`,
    "client-connection": (address: string, name: string) =>
      `It calls ${address}, which is also Postern's provider ${name}. Connected here, it reaches it through Postern.`,
  },

  seen: { title: "Apps seen this month", limit: "Limit", last: "Last request" },
  key: "Key",
  spent: "This month",
  calls: (n: number) => (n === 1 ? "1 call" : `${n} calls`),
  files: "Files",
  lastCheck: "Last verified",
  neverChecked: "Not verified yet",

  connect: "Connect",
  change: "Change",
  verify: "Verify",
  verifying: "Verifying",
  undo: "Undo",
  manual: "Manual setup",
  named: {
    connect: (name: string) => `Connect ${name}`,
    change: (name: string) => `Change ${name}`,
    verify: (name: string) => `Verify ${name}`,
    undo: (name: string) => `Undo ${name}`,
    manual: (name: string) => `Manual setup: ${name}`,
  },

  all: {
    open: "Connect all found apps",
    title: "Connect all found apps",
    help: "Each app gets a key of its own, all its parts and a likely model. Nothing is written before you press Connect.",
    changesOf: (name: string) => `What changes: ${name}`,
    connect: (n: number) => (n === 1 ? "Connect 1 app" : `Connect ${n} apps`),
    undo: "Undo all",
  },
  refresh: "Refresh models",
  outdated: "Other models are served than its picker has.",

  what: "What to connect",
  slots: { main: "Model", opus: "For Opus", sonnet: "For Sonnet", haiku: "For Haiku" },
  tiersHelp: "Claude Code asks for three sizes by these names. It starts with Opus, and uses Haiku for small tasks.",
  ownName: "By its own name",
  noModels: "There is no chat model yet. Connect a provider first, or switch the sandbox on.",
  offerAll: (n: number) =>
    n === 1 ? "Offer the one chat model in its picker" : `Offer all ${n} chat models in its picker`,
  offerAllHelp: "With their context sizes. Without it, the chosen model alone.",
  limit: "Limit per month, USD",
  limitHelp: "The key stops when it is spent. Empty: no limit.",
  limitInvalid: "Type an amount up to 9,000,000, such as 20 or 7.50.",
  onlyThese: "Allow the key these models only",
  changes: "What changes",
  keyToCome: (name: string) => `A key named “${name}” is made for it; sk-… stands in its place below.`,
  keyStays: "It keeps its key.",
  actions: {
    create: "New file",
    change: "Changed file",
    remove: "The file is removed",
    keep: "Stays as it is",
  },
  target: (path: string) => `A link to ${path}, which is written.`,
  kept: (paths: string) => `You changed these since; they stay: ${paths}`,
  notes: {
    other_key: "The file holds another key as well. If the app sends both, Postern refuses the call.",
    elsewhere: "Another setting of the file sends the app elsewhere. Verify names it.",
    readable_by_others: "Other people on this machine may read this file, and the key in it.",
    linked: "The file is a link: the file that it leads to is written, the link stays.",
  },
  moreLines: (n: number) => `… ${n} more lines`,
  diffOf: (path: string) => `Change of ${path}`,
  before: "Before",
  after: "After",
  text: "Text",
  marks: { added: "added", removed: "removed", same: "unchanged" },
  apply: "Write it",

  done: (name: string) => `${name} is connected`,
  doneHelp: "Restart it if it is running. Its calls appear under Requests with its key.",
  tryIt: "Try it in a terminal:",
  secret: (name: string) =>
    `${name} takes this key from its own settings, not from the file. Put it in there. It is shown this once.`,
  linkHelp: (name: string) =>
    `${name} takes its settings by this link, which holds its key, and asks before it saves them. It is shown this once.`,
  openLink: (name: string) => `Open ${name}`,
  copyLink: "Copy link",
  copyKey: "Copy key",
  stored: "I have stored it",
  close: "Done",
  ok: (duration: string) => `Works, ${duration}`,
  failed: "Does not work",
  showRequest: "Show request",

  undoTitle: (name: string) => `Undo ${name}?`,
  undoHelp: (key: string) => `Its file becomes what it was. The key “${key}” is revoked, which cannot be undone.`,
  undoNow: "Undo and revoke the key",
  undone: (name: string) => `${name} is as it was`,

  manualTitle: (name: string) => `Set up ${name} manually`,
  manualHelp: "Replace YOUR_KEY with one of your keys and YOUR_MODEL with a model id.",
  manualWhy: {
    cursor:
      "Cursor keeps the address and the key of its models in a database of its own, which only Cursor may write. Put them into Cursor Settings, Models. Its MCP tools are configured in a file, which Postern can write.",
    "cherry-studio":
      "Cherry Studio keeps its providers in a database of its own and takes one by a link, which Connect makes. Undo revokes the key; remove the provider in Cherry Studio.",
    "copilot-cli":
      "Copilot CLI takes its provider from the environment alone. “postern run copilot” sets it for one run, with a key that ends with it.",
    "open-webui":
      "Open WebUI is a server: enter the connection in its admin settings, or start it with these variables.",
    langchain: "LangChain has no configuration file: the address and the key are in your program.",
    "openai-sdk": "The SDK has no configuration file: it takes both from your program, or from the environment.",
    "anthropic-sdk": "The SDK has no configuration file: it takes both from your program, or from the environment.",
    zed: "Zed keeps keys in the system's keychain. Put the key into its settings under LLM Providers, or into POSTERN_API_KEY.",
  },
  copyText: (label: string) => `Copy ${label}`,
} as const;
