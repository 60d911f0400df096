import type { SettingWords, ShownSetting } from "../../gateway/contract/settings.ts";

/** Of each setting that the page shows: gateway/contract/settings.ts declares them. */
const fields: Readonly<Record<ShownSetting, SettingWords>> = {
  monthly_budget_usd: {
    label: "Budget, USD",
    empty: "none",
  },
  sandbox: {
    label: "When it responds",
    help: "POSTERN_SANDBOX overrides this setting.",
    choices: { on: "Always", off: "Never", auto: "While no provider is connected" },
  },
  picture_model: {
    label: "Described by",
    help: "Each picture is described once per session; that costs one request.",
  },
  pictures_as_words: {
    label: "Replace pictures by a note",
    help: "Off: they are sent as they are, and the provider may refuse the request.",
  },
  media_keep_days: {
    label: "Days to keep",
    empty: "for ever",
  },
  media_max_gib: {
    label: "Max size, GiB",
    empty: "no bound",
  },
  finish_cancelled_media: {
    label: "Finish cancelled images and speech",
    help: "When an app disconnects, the provider is paid anyway: the result is saved here. At most four at the same time.",
  },
  allow_targets: {
    label: "Private addresses that may be reached",
    help: "host:port, one per line. Webhook deliveries and downloads go to the open internet only, and to these.",
    empty: "nas.local:9000",
  },
  proxy: {
    label: "Outbound proxy",
    help: "system: what the environment and the system say. off: none. Or an address, such as http://proxy:8080 or socks5://user:password@proxy:1080. A login is stored like a key. Servers on this machine are always reached directly.",
  },
  record_bodies: {
    label: "Record bodies",
    help: "Who can read the data folder can read them.",
  },
  record_keep_days: {
    label: "Days to keep",
  },
  record_max_mib: {
    label: "Max size, MiB",
  },
  backup_keep: {
    label: "Daily backups kept",
    help: "Empty: none is made. Manual backups stay until you delete them.",
    empty: "none",
  },
  port: {
    label: "Port",
    help: "From the next start on. Empty: 6174.",
    empty: "6174",
  },
  lan: {
    label: "Other machines of the network",
    help: "Off: only programs on this machine reach Postern.",
    confirm: {
      title: "Let other machines in?",
      text: "Every machine of every network that this one is in can call /v1 and /mcp, with any of your local keys and up to their limits.\nThe connection is not encrypted: who listens in on the network can read keys, prompts and responses.\nThese pages and their control API stay closed to other machines.",
      action: "Let them in",
    },
  },
  allowed_hosts: {
    label: "Further host names",
    help: "One per line, as nas.lan, *.example.ts.net or postern:8080. Under them /v1 and /mcp are served, with a key; never these pages. Names that containers give this machine need not be listed.",
    empty: "*.example.ts.net",
  },
  allowed_origins: {
    label: "Apps and pages that may call",
    help: "Origins, one per line, as app://obsidian.md, vscode-webview://* or http://localhost:3000. They may call /v1 and /mcp with a key; file:// also lets in sandboxed frames of any web page.",
    empty: "app://obsidian.md",
  },
  connect_timeout_s: {
    label: "Connect, seconds",
  },
  first_byte_timeout_s: {
    label: "First byte, seconds",
    help: "Until a streamed response begins.",
  },
  silence_timeout_s: {
    label: "Silence, seconds",
    help: "Within a response that has begun.",
  },
  call_timeout_s: {
    label: "Whole call, seconds",
    help: "Empty: 600 until a response that is not streamed begins. A number bounds streams too.",
    empty: "600, streams without limit",
  },
  price_list_url: {
    label: "Address of the list",
    help: "Of the shape of LiteLLM’s model_prices_and_context_window.json or of models.dev’s api.json.",
    empty: "none: the catalog alone",
  },
  price_list_daily: {
    label: "Fetch it every day",
    help: "It is only offered: nothing costs otherwise until you accept it.",
    unavailable: "Set the address of a list first.",
  },
  update_check: {
    label: "Look for newer versions",
    help: "Asks registry.npmjs.org once a day, and shows a notice. Nothing is sent but the request, and nothing is installed.",
  },
  search_provider: {
    label: "Search service",
    choices: { none: "None", brave: "Brave Search", tavily: "Tavily", exa: "Exa", searxng: "SearXNG" },
  },
  searxng_url: {
    label: "Address of SearXNG",
    help: "On this machine, or an allowed target (Webhooks). It needs json among search.formats.",
    empty: "http://127.0.0.1:8080",
  },
  search_price_usd: {
    label: "Price of a search, USD",
    empty: "as published",
  },
  otlp_endpoint: {
    label: "Address of the receiver",
    help: "Of an OpenTelemetry collector or backend that takes OTLP over HTTP. If it is empty, nothing is sent. POSTERN_OTLP_ENDPOINT overrides this setting.",
    empty: "http://127.0.0.1:4318",
  },
  otlp_signals: {
    label: "What it takes",
    choices: { both: "Traces and metrics", traces: "Traces", metrics: "Metrics" },
  },
};

/** English words of the Settings page. */
export const settingsEn = {
  fields,
  sections: "Sections",
  names: {
    general: "General",
    network: "Network",
    data: "Data",
    budget: "Budget",
    prices: "Prices",
    search: "Search",
    webhooks: "Webhooks",
    telemetry: "Telemetry",
    updates: "Updates",
    about: "About",
  },
  changed: (label: string) => `Changed: ${label}`,
  notNumber: "Enter a number.",
  notUrl: "Enter an address that begins with https:// or http://.",
  desktopOnly: "Only the desktop app can do this.",

  search: "Web search",
  searchHelp: "For models whose providers do not search. Each search is in a receipt.",
  searchTest: "Test",
  searchPublished: (usd: number) => `Published: $${usd}`,
  searchFound: (results: number, ms: number) => `${results} results in ${ms} ms`,
  searchKey: "Key",
  searchKeyMake: "Get a key",
  searchKeyKeep: "Save",
  searchKeyRemove: "Remove",
  searchKeyKept: "The key is saved",
  searchKeyRemoved: "The key is removed",

  appearance: "Appearance",
  sandbox: "Sandbox",
  pictures: "Pictures and PDFs",
  picturesHelp: "For models that take none.",
  noModel: "No model",
  running: "Running",
  autostart: "Start at login",
  autostartHelp: "Postern starts when you sign in, in the tray.",
  autostartNone: "Only an installed Postern can start at login, not a working copy.",
  closeToTray: "Keep running in the tray",
  closeToTrayHelp: "Closing the window leaves Postern running for its apps. Off: closing the window quits Postern.",
  pause: "Paused",
  pauseHelp:
    "New requests are refused; running ones finish. Video tasks and webhook deliveries go on. The next start is not paused.",
  paused: "Postern is paused",
  resumed: "Postern takes calls again",

  addresses: "Addresses",
  addressesHelp: "The base URL for apps.",
  fromNetwork: "From outside",
  outbound: "How requests leave this machine",
  listening: "Where Postern listens",
  timeouts: "Time limits",
  timeoutsHelp:
    "How long providers may take. Servers of this machine and of private networks may take any time for their first byte, to load a model. Environment variables override these: POSTERN_CONNECT_TIMEOUT_S, POSTERN_FIRST_BYTE_TIMEOUT_S, POSTERN_SILENCE_TIMEOUT_S, POSTERN_CALL_TIMEOUT_S.",
  portFixed: (port: number) => `Postern listens on ${port} now, because --port or POSTERN_PORT overrides this setting.`,
  hostFixed: (host: string) => `Postern listens on ${host} now, because --host or POSTERN_HOST overrides this setting.`,
  nextAddress: (where: string) => `From the next start on, Postern listens on ${where}.`,
  restart: "Restart now",
  restartManually: "Stop Postern and start it again.",

  folder: "Data folder",
  folderHelp: "Everything that Postern keeps.",
  folderInBrowser: "Everything that Postern keeps. Only the desktop app can open it.",
  openFolder: "Open folder",
  copyPath: "Copy path of the data folder",
  part: "Part",
  files: "Files",
  size: "Size",
  total: "Total",
  fileCount: (n: string) => (n === "1" ? "1 file" : `${n} files`),
  parts: {
    state: "State",
    journal: "Journal",
    secrets: "Provider keys",
    usage: "Usage",
    history: "History",
    tasks: "Tasks",
    media: "Media",
    recordings: "Recordings",
    backups: "Backups",
    quarantine: "Quarantine",
    desktop: "Window",
    other: "Other",
  },
  partHelp: {
    state: "keys, providers, settings",
    journal: "changes since the state was saved",
    secrets: "encrypted",
    usage: "receipts, by month",
    history: "usage imported from logs of agents",
    tasks: "finished ones",
    media: "pictures, sounds, videos",
    recordings: "bodies of requests",
    backups: "copies of the above, without media",
    quarantine: "damaged files that were set aside",
    desktop: "its place and the profile of its browser",
    other: "not Postern's, or needed only while it runs",
  },
  find: "Find a setting",
  keyProtection: "Provider keys",
  keyProtectionHelp: "They are stored encrypted in the data folder. This protects the key that decrypts them.",
  protectedBy: {
    none: (keychain: string | null) =>
      keychain === null
        ? "No provider key is stored yet. The first one will be encrypted with a key file that only your account can read."
        : `No provider key is stored yet. The first one will be encrypted with the keychain (${keychain}).`,
    file: "A key file in the data folder, which only your account can read. Whoever copies the folder can read the keys.",
    keychain: (name: string) => `The keychain (${name}). A copy of the folder is of no use without it.`,
  },
  moveToKeychain: "Move to the keychain",
  moveToKeychainTitle: (keychain: string) => `Move the provider keys to the keychain (${keychain})?`,
  moveToKeychainHelp:
    "The key file is encrypted by the keychain, in the data folder and in its backups. From then on they open only on this machine and in the desktop app: Postern without a desktop asks for the provider keys again. Copies of the folder elsewhere stay as they are.",
  movedToKeychain: "The keychain protects the provider keys now",
  backups: "Backups",
  backupsHelp: "Keys, providers, settings, spend, history and tasks.",
  notInBackups:
    "Not in a backup: the images, sounds and videos of the library, and recorded requests. To keep those, copy the folders media and recordings of the data folder.",
  deleteBackup: "Delete",
  deleteBackupNamed: (when: string) => `Delete the backup of ${when}`,
  deleteBackupTitle: (when: string) => `Delete the backup of ${when}?`,
  deleteBackupHelp:
    "Its copy of keys, providers, settings, spend and history is deleted for good. What Postern uses now stays as it is.",
  deleteUndoHelp:
    "It is the data from before a restore: without it that restore cannot be undone. It is deleted for good. What Postern uses now stays as it is.",
  backupDeleted: (when: string) => `Deleted: the backup of ${when}`,
  opensKeys: "Opens provider keys",
  opensKeysHelp:
    "It holds secret.key, which no keychain encrypts: keep it where only you can read. postern backup --without-key leaves that out.",
  backupNow: "Back up now",
  backedUp: (size: string) => `Backed up: ${size}`,
  noneYet: "No backup yet.",
  kinds: { automatic: "daily", "before-restore": "before a restore", "before-update": "before an update" },
  restore: "Restore",
  restoreNamed: (when: string) => `Restore the backup of ${when}`,
  restoreTitle: "Restore this backup?",
  restoreHelp:
    "It takes the place of keys, providers, settings, spend and history at the next start; what was spent since is not counted any more. The data of now becomes a backup itself, so this can be undone. Media and recordings stay as they are.",
  restoreReady: (when: string) => `The backup of ${when} is whole and waits for the next start`,
  restorePending: (name: string) => `The next start restores the backup ${name}.`,
  keepData: "Keep the data of now",
  results: "Results in the library",
  resultsHelp: "What the models made. Results beyond these limits are deleted for good.",
  recordings: "Recordings",
  recordingsHelp: "Prompts and responses of requests, for the Requests page. They never leave this machine.",

  budget: "Monthly budget",
  budgetHelp:
    "Of all keys together, per UTC month. Calls that could go over it are refused. The sandbox does not count.",
  spentThisMonth: "Spent this month",
  spentOf: (spent: string, budget: string) => `${spent} of ${budget}`,
  keyLimits: "Single keys have limits of their own:",

  priceList: "Price list",
  priceListHelp:
    "Calls are billed by the prices of this version’s catalog, and prices change. A newer list can be fetched here: it overrides the catalog, and your own prices override both.",
  fetchPrices: "Fetch now",
  pricesInUse: "In use",
  catalogAlone: "The catalog alone.",
  pricesFrom: (models: string, url: string, when: string) => `${models} prices from ${url}, fetched on ${when}.`,
  dropPrices: "Back to the catalog",
  pricesDropped: "Prices are those of the catalog again",
  pricesFailed: (when: string, sentence: string) => `${when}: ${sentence}`,
  pricesSame: "The list says what is in use already",
  offeredPrices: "Offered prices",
  offeredCounts: (changed: string, added: string, removed: string) =>
    `Changed: ${changed}, new: ${added}, gone: ${removed}. Nothing costs otherwise until you accept.`,
  offeredAtConnections: (n: string) => `${n} at your providers`,
  offeredNowhere: "Nothing changes at your providers.",
  priceChanges: "What would change",
  priceUnitsHelp: "Each for a million tokens or characters, or for one image, second, search or request.",
  offeredEverywhere: "Show all",
  offeredOnlyMine: "Show only my providers",
  offeredMore: (shown: string, total: string) => `The first ${shown} of ${total}.`,
  unusual: "unusual",
  unusualWarning: (n: string) =>
    n === "1"
      ? "One price would be ten times or a tenth of what it is, or free. It may be a slip in the list."
      : `${n} prices would be ten times or a tenth of what they are, or free. They may be slips in the list.`,
  priceKinds: { changed: "changed", added: "new", removed: "gone" },
  priceAbove: (tokens: string) => `above ${tokens} tokens`,
  priceNone: "no price",
  acceptPrices: "Accept",
  acceptUnusual: "Accept all the same",
  acceptUnusualTitle: "Accept unusual prices?",
  pricesAccepted: "Calls are billed by the new prices from now on",
  leaveOffered: "Leave it",

  webhooks: "Webhooks",
  webhooksHelp: "Deliveries about finished video tasks.",
  deliveries: "Latest deliveries and receivers",

  thisVersion: (version: string) => `This is Postern ${version}.`,
  updatesInBrowser:
    "These pages run in a browser. Only the desktop app can update itself; elsewhere, get the new version where you got this one.",
  checkUpdates: "Check for updates",
  downloadUpdate: "Download",
  installUpdate: "Restart and install",
  updateStates: {
    unsupported: () => "This installation cannot update itself.",
    idle: () => "Nothing newer is known.",
    checking: () => "Checking…",
    available: (version: string) => `Version ${version} is available.`,
    downloading: (version: string) => `Version ${version} is being downloaded.`,
    ready: (version: string) => `Version ${version} is ready to install.`,
    failed: () => "That did not work. Try again.",
  },

  aboutHelp: "One local key and one base URL for every AI model you have access to.",
  version: "Version",
  process: "Process",
  licences: "Licences",
  licencesHelp: "What others wrote that these pages are made with.",
  diagnostics: "Diagnostics",
  diagnosticsHelp:
    "A ZIP for whoever helps you: versions, settings, providers by host, error counts, the newest log lines and what the doctor finds. No keys, no secrets, no prompts, and not the name of your home folder.",
  saveDiagnostics: "Save diagnostics",
  diagnosticsSaved: "Diagnostics are being saved",
};
