/** English words of the Providers page. */
export const connectionsEn = {
  add: "Add provider",
  addTitle: "Add a provider",
  empty: "No provider is connected",
  emptyHelp: "Add a provider key or a local server. Until then the sandbox responds.",
  emptyHelpOff: "Add a provider key or a local server. Until then no request can be served.",
  provider: "Provider",
  name: "Name",
  baseUrl: "Base URL",
  baseUrlHelp: "The root of its API, as its documentation gives it.",
  providerKey: "Provider key",
  providerKeyNumber: (n: number) => `Provider key ${n}`,
  anotherKey: "Add another key",
  removeKey: (n: number) => `Remove provider key ${n}`,
  keyHelp: "Encrypted on this machine. It is never shown again, only replaced.",
  keyOptionalHelp: "Leave it empty when the server asks for none.",
  getKey: (provider: string) => `Get a key from ${provider}`,
  proxy: "Proxy",
  proxyHelp:
    "default: as under Settings > Network. direct: none. Or an address, such as http://proxy:8080 or socks5://user:password@proxy:1080.",
  priority: "Priority",
  priorityHelp: "Where several providers serve a model, the lowest is tried first.",
  rpm: "Requests per minute",
  concurrency: "At the same time",
  paceHelp: "The pace that the provider allows. More wait up to 5 s, then another provider is tried. Empty: no limit.",
  headers: "Header fields",
  headersHelp: "One a line, as OpenAI-Organization: org-1. Values are encrypted and shown as ***.",
  body: "Body fields",
  bodyHelp: 'JSON that conversations get where they have no such field, as {"top_k": 20}.',
  ownModels: "Models",
  ownModelsHelp: "One a line: ids that it does not list, and what a model is for, as my-vectors = embedding.",
  promptCaching: "Mark prompts for the cache",
  promptCachingHelp: "Where an app marks none itself. Writing costs more than input, reading far less.",
  test: "Test",
  testNamed: (name: string) => `Test ${name}`,
  testing: "Testing",
  edit: "Change",
  editTitle: "Change provider",
  replaceKey: "Replace key",
  replaceTitle: (name: string) => `Replace the key of “${name}”`,
  replaceHelp: "The new key takes effect immediately; the old one is deleted.",
  remove: "Remove",
  removeTitle: (name: string) => `Remove “${name}”?`,
  removeHelp: "Its provider key is deleted. This cannot be undone; past requests stay.",
  movedHelp: (origin: string) => `The key that is stored was given for ${origin}. Type the key for the new address.`,
  allowHttp: "Send keys and prompts unencrypted all the same",
  localTitle: "Detected on this machine",
  localHelp: "Local model servers. Postern sends them nothing until you use them.",
  localOther: (user: string) => `Run by another user (${user}), who can read what you send.`,
  localUse: (name: string) => `Use ${name}`,
  localUseOther: (name: string, user: string) => `Use ${name} of ${user}`,
  localRefuse: "Don’t offer again",
  localAgain: "Offer again",
  fixed: {
    created: "",
    environment: "Set by the POSTERN_… variables; change those and restart",
    local: "Here as long as its server runs",
  },
  added: (name: string) => `“${name}” is connected`,
  changed: (name: string) => `“${name}” was changed`,
  replaced: (name: string) => `The key of “${name}” was replaced`,
  removed: (name: string) => `“${name}” is removed`,
  disabled: (name: string) => `“${name}” is disabled`,
  enabled: (name: string) => `“${name}” is enabled`,
  on: (name: string) => `${name} is used`,
  origins: { created: "", environment: "Environment", local: "Detected" },
  learned: "Learned from its refusals",
  learnedHelp: "The server refused a field that Postern had put in. For a week it is sent in the other form.",
  learnedOf: (name: string) => `What ${name} has taught by its refusals`,
  lesson: (lesson: string) => {
    const [word = "", field = ""] = lesson.split(" ");
    switch (word) {
      case "without":
        return `without ${field}`;
      case "message":
        return `messages without ${field}`;
      case "bound":
        return `the longest response as ${field}`;
      case "thoughts":
        return field === "needed" ? "with the thinking of earlier turns" : "without the thinking of earlier turns";
      case "choice":
        return field === "word" ? "a tool chosen by a word" : "no tool forced";
      case "strict":
        return "tools without strict";
      case "schema":
        return "JSON schemas in words";
      case "system":
        return "system messages at the beginning alone";
      default:
        return lesson;
    }
  },
  forget: "Forget",
  forgetOf: (name: string) => `Forget what ${name} has taught`,
  forgot: (name: string) => `Requests go to “${name}” as before`,
  models: (n: number) => (n === 1 ? "1 model" : `${n} models`),
  modelsUnknown: "models not fetched yet",
  modelsUnlisted: "lists no models",
  modelsRefused: "responds without a list of models",
  checked: (age: string) => `checked ${age}`,
  reached: (ms: string, n: number) => `Works: responded in ${ms} with ${n === 1 ? "1 model" : `${n} models`}.`,
  notAsked: "It has no list of models to test with: the first request will tell.",
  saveAnyway: "Save anyway",
  problems: {
    refused: "The provider refuses this key.",
    out_of_credit: "The account of this key is out of credit.",
    unreachable: "Nothing responds at this address.",
    failed: "The provider failed; try again in a moment.",
    no_list: "It responds, but not with a list of models: check the base URL.",
    no_key: "No key can be used here: replace it.",
    stopping: "Postern is stopping.",
  },
  credentials: (name: string) => `Provider keys of ${name}`,
  health: {
    ready: "Ready",
    failed: "Failing",
    cooling: "Cooling down",
    open: "Failing",
    refused: "Refused",
    out_of_credit: "Out of credit",
    locked: "Locked",
  },
  states: {
    healthy: "Healthy",
    off: "Off",
    absent: "Not running",
    unknown: "Unknown",
    degraded: "Degraded",
    locked: "Locked key",
    out_of_credit: "Out of credit",
    invalid_key: "Invalid key",
    down: "Down",
  },
  sentences: {
    healthy: "",
    off: "No request is sent to it.",
    not_running: "Its program does not run: start it.",
    untested: "Nothing was asked of it yet.",
    no_list: "It responds, but lists no models: check the base URL.",
    refused: "The provider refuses this key.",
    no_credit: "The account of this key is out of credit.",
    locked: "The keychain does not give its key out: unlock it, or replace the key.",
    unreachable: "Nothing responds at its address.",
    failing: "It failed several times in a row.",
    last_failed: "The last request failed.",
    rate_limited: "The provider asked to wait.",
    some_keys: "Not all of its keys work.",
    some_models: "Some of its models fail.",
  },
  actions: { test: "Test", retry: "Try again", replace_key: "Replace key", top_up: "Top up" },
  actionNamed: (action: string, name: string) => `${action}: ${name}`,
  lastSuccess: "Last success",
  latency: (n: number, ms: string, failed: number) =>
    `Last ${n === 1 ? "request" : `${n} requests`}: p50 ${ms}${failed === 0 ? "" : `, ${failed} failed`}`,
  noLatency: (n: number) => (n === 1 ? "The last request failed" : `The last ${n} requests failed`),
  quoted: (text: string) => `“${text}”`,
  until: (moment: string) => `retried ${moment}`,
  healthHelp: {
    ready: "",
    failed: "The last request failed.",
    cooling: "The provider asked to wait.",
    open: "It failed several times in a row. Until it responds again, other providers are tried first.",
    refused: "The provider refuses this key. Replace it.",
    out_of_credit: "The provider says that its credit is used up.",
    locked: "The keychain of this machine did not give the key out. Unlock it, or replace the key.",
  },
  lockedKeys: (names: string) =>
    `These provider keys cannot be opened: ${names}. Their keychain is missing, locked or another one. Restart Postern with that keychain, or replace the keys under Providers. Until then they stay encrypted, and nothing overwrites them.`,
  invalid: {
    name: "Give the provider a name of 1 to 100 characters.",
    base_url: "Type an address that starts with http:// or https://.",
    keys: "Type the provider key.",
    priority: "Type a whole number from 0 to 1,000.",
    allow_http: "Confirm that plain http is meant.",
    proxy: "Type default, direct or an address such as http://proxy:8080.",
    headers: "Write lines of the form Name: value. Give the provider's key above, not as a header.",
    body: "Write a JSON object. The model, the conversation, stream, n and service_tier belong to the request.",
    rpm: "Type a whole number from 1 to 100,000, or leave it empty.",
    concurrency: "Type a whole number from 1 to 10,000, or leave it empty.",
    models:
      "Write an id, or an id and what it is for, as my-vectors = embedding: chat, embedding, speech, transcription, image, video or moderation.",
  },
};
